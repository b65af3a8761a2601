import { hash as digest } from 'node:crypto';
import { type ObjectHash, toObjectHash } from '../contract/object-name.ts';

/** The hash by which an object of this content is named. A text counts as its bytes in UTF-8. */
export function objectHash(content: string | Uint8Array): ObjectHash {
  return toObjectHash(digest('sha256', content, 'buffer'));
}
