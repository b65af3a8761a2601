/**
 * The hash in an object's name: the first 130 bits of the SHA-256 of its bytes, in base 32. Only lower case, so that
 * two names also differ in a file system that ignores case.
 */
export type ObjectHash = string;

/** Characters of an ObjectHash. */
const HASH_LENGTH = 26;

const HASH = /^[a-z2-7]{26}$/;

export function isObjectHash(value: unknown): value is ObjectHash {
  return typeof value === 'string' && HASH.test(value);
}

/** Writes the first 130 bits of a SHA-256 as an ObjectHash (base 32 of RFC 4648, in lower case). */
export function toObjectHash(sha256: Uint8Array): ObjectHash {
  const digits = 'abcdefghijklmnopqrstuvwxyz234567';
  let hash = '';
  let bits = 0;
  let held = 0;
  for (const byte of sha256) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      hash += digits[(held >>> bits) & 31];
      if (hash.length === HASH_LENGTH) return hash;
    }
    held &= (1 << bits) - 1;
  }
  throw new RangeError(`A SHA-256 hash has 32 bytes, not ${sha256.length}.`);
}
