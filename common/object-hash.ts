import { hash as digest } from 'node:crypto';
import { type ObjectHash, toObjectHash } from '../contract/object-name.ts';

/** The hash that names an object with this content. Texts are hashed as UTF-8. */
export function objectHash(content: string | Uint8Array): ObjectHash {
  return toObjectHash(digest('sha256', content, 'buffer'));
}
