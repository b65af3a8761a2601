import { envelope } from '../contract/api.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The successful answer of an endpoint, without the caller's quota. */
export interface Answer {
  /** The envelope, as UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, quoted (RFC 9110, 8.8.3); null: must not be cached. */
  readonly etag: string | null;
  /** The `Link` header of a paged list (RFC 8288). */
  readonly link: string | null;
  /** Where the article is instead: a path of the interface. */
  readonly location?: string;
}

const encoder = new TextEncoder();

/** The body of an answer, from its text. */
export function encodeBody(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/*
 * Answers that are the same for everyone until the next publish. Their tag is the SHA-256 of the body, as in object names,
 * so no cache can confuse two of them.
 */

/** A ready answer: a body of the snapshot. */
export function readyAnswer(snapshot: Snapshot, hash: ObjectHash): MaybePromise<Answer> {
  return andThen(snapshot.read('body', hash), (body) => ({ body, etag: `"${hash}"`, link: null }));
}

/** An answer that is composed for a request. @param data the JSON text in the envelope */
export function composedAnswer(snapshot: Snapshot, data: string): MaybePromise<Answer> {
  return taggedAnswer(snapshot, encodeBody(envelope(data)), null);
}

/** An answer with this body. */
export function taggedAnswer(
  snapshot: Snapshot,
  body: Uint8Array<ArrayBuffer>,
  link: string | null,
): MaybePromise<Answer> {
  return andThen(snapshot.objects.hashObject(body), (hash) => ({ body, etag: `"${hash}"`, link }));
}
