import { isObjectKind, OBJECT_KINDS, type ObjectKind } from './object-kinds.ts';

/**
 * The hash in an object's name: the first 130 bits of the SHA-256 of its bytes, in base 32. Lower
 * case alone, so that a file system that ignores case cannot take two for one.
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

/**
 * Where an object stands, from the root of the output: `objects/post/ab/abcd….json`, `objects/file/ab/abcd…`. Two characters
 * of fan-out keep folders small at 100,000 posts.
 */
export function objectPath(kind: ObjectKind, hash: ObjectHash): string {
  return `objects/${kind}/${hash.slice(0, 2)}/${hash}${OBJECT_KINDS[kind].extension}`;
}

/** The hash in the path of an object; null where the path is not that of an object. */
export function hashInPath(path: string): ObjectHash | null {
  const [, kind = '', hash = ''] = /^objects\/(\w+)\/..\/([a-z2-7]{26})(?:\.json)?$/.exec(path) ?? [];
  return isObjectKind(kind) && objectPath(kind, hash) === path ? hash : null;
}
