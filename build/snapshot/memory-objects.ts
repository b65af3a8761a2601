import { objectHash } from '../../common/object-hash.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectStore } from './object-writer.ts';

/** In-memory objects, for a snapshot that is never published. */
export class MemoryObjects implements ObjectStore {
  readonly #texts = new Map<string, string>();

  put(kind: ObjectKind, text: string): ObjectHash {
    const hash = objectHash(text);
    this.#texts.set(`${kind}/${hash}`, text);
    return hash;
  }

  /** @throws Error if there is no such object */
  read(kind: ObjectKind, hash: ObjectHash): string {
    const text = this.#texts.get(`${kind}/${hash}`);
    if (text === undefined) throw new Error(`There is no ${kind}/${hash} in memory.`);
    return text;
  }

  /** The hash that names an object with these bytes. */
  hashOf(bytes: Uint8Array): ObjectHash {
    return objectHash(bytes);
  }
}
