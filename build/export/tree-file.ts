import { objectHash } from '../../common/object-hash.ts';
import type { ObjectHash } from '../../contract/object-name.ts';

/** A file of the tree. */
export interface TreeFile {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  /** The hash of its bytes. */
  readonly hash: ObjectHash;
  /** Its bytes; a text is encoded as UTF-8. */
  content(): string | Uint8Array | Promise<Uint8Array>;
}

/** A file with a text. */
export function textFile(path: string, text: string): TreeFile {
  return { path, hash: objectHash(text), content: () => text };
}
