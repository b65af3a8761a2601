import type { ObjectHash } from '../contract/object-name.ts';

/** The successful answer of an endpoint, without the caller's quota. */
export interface Answer {
  /** The envelope, as UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, quoted (RFC 9110, 8.8.3); null: must not be cached. */
  readonly etag: string | null;
  /** The `Link` header of a paged list (RFC 8288). */
  readonly link: string | null;
  /** The snapshot it is from, if not the current one. */
  readonly snapshot?: ObjectHash;
}

const encoder = new TextEncoder();

/** The body of an answer, from its text. */
export function bodyOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/**
 * An answer that is the same for everyone until the next publish. Its tag is the SHA-256 of its body, as in object names,
 * so no cache can confuse two answers.
 *
 * @param hash of the body
 */
export function publicAnswer(
  body: Uint8Array<ArrayBuffer>,
  hash: ObjectHash,
  link: string | null = null,
): Answer {
  return { body, etag: `"${hash}"`, link };
}
