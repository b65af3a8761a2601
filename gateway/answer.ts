/** The successful answer of an endpoint, before anyone's quota is written on it. */
export interface Answer {
  /** The envelope, as UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, quoted (RFC 9110, 8.8.3); null: the answer must not be kept. */
  readonly etag: string | null;
  /** The `Link` header of a paged list (RFC 8288). */
  readonly link: string | null;
}

const encoder = new TextEncoder();

/** An answer that is the same for everyone who asks for it until the next publish. */
export function publicAnswer(text: string, link: string | null = null): Answer {
  const body = encoder.encode(text);
  return { body, etag: `"${contentHash(body)}"`, link };
}

/** A ready object of the snapshot: its name says its content already. */
export function readyAnswer(body: Uint8Array<ArrayBuffer>, hash: string): Answer {
  return { body, etag: `"${hash}"`, link: null };
}

/** An answer for this caller at this moment alone. */
export function privateAnswer(text: string): Answer {
  return { body: encoder.encode(text), etag: null, link: null };
}

/**
 * 64 bits in two lanes that are mixed in different ways, four bytes at a time. An entity tag must tell two
 * versions of one list apart, and nobody gains from forging one, so a fast hash without platform calls does.
 */
function contentHash(bytes: Uint8Array<ArrayBuffer>): string {
  let a = 0x811c9dc5;
  let b = 0x1b873593 ^ bytes.length;
  // Encoders give a buffer of its own, which begins at a multiple of four.
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    a = Math.imul(a ^ word, 0x01000193);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ word, 0x85ebca6b);
    b ^= b >>> 15;
  }
  for (let i = words.length * 4; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
    b ^= b >>> 15;
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
