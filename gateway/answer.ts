import type { ObjectHash } from '../contract/object-name.ts';

/** The successful answer of an endpoint, before anyone's quota is written on it. */
export interface Answer {
  /** The envelope, as UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, quoted (RFC 9110, 8.8.3); null: the answer must not be kept. */
  readonly etag: string | null;
  /** The `Link` header of a paged list (RFC 8288). */
  readonly link: string | null;
  /** Where it is from, if not from the snapshot that answers. */
  readonly snapshot?: ObjectHash;
}

const encoder = new TextEncoder();

/** The body of an answer, from its text. */
export function bodyOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/**
 * An answer that is the same for everyone until the next publish. Its tag is the SHA-256 of its body, as in the
 * names of objects: caches that go by the tag, ours and those of others, can never take one answer for another.
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
