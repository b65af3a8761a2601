import { objectHash } from '../../common/object-hash.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectStore } from './object-writer.ts';

/** In-memory objects, for a snapshot that is never published. */
export class MemoryObjects implements ObjectStore {
  readonly #objects = new Map<string, Uint8Array<ArrayBuffer>>();

  put(kind: ObjectKind, text: string): ObjectHash {
    const hash = objectHash(text);
    this.#objects.set(`${kind}/${hash}`, new TextEncoder().encode(text));
    return hash;
  }

  has(kind: ObjectKind, hash: ObjectHash): boolean {
    return this.#objects.has(`${kind}/${hash}`);
  }

  /** @throws Error if there is no such object */
  read(kind: ObjectKind, hash: ObjectHash): Uint8Array<ArrayBuffer> {
    const bytes = this.#objects.get(`${kind}/${hash}`);
    if (!bytes) throw new Error(`There is no ${kind}/${hash} in memory.`);
    return bytes;
  }

  /** The hash that names an object with these bytes. */
  hashObject(bytes: Uint8Array): ObjectHash {
    return objectHash(bytes);
  }
}
