import { closeSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectHash } from '../../common/object-hash.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { guardingOutput, openNew } from '../../common/output-files.ts';
import { stagedPath } from './staging.ts';

/**
 * How to treat objects in the output. `absent`: the output was empty when the build started, so skip the check.
 * `trusted`: an object with the right name and size is valid. `checked`: read each one, and rewrite it if it is
 * damaged.
 */
export type Existing = 'absent' | 'trusted' | 'checked';

/** Writes and reads objects. */
export interface ObjectStore {
  /** @returns the object's hash */
  put(kind: ObjectKind, text: string): ObjectHash;
  read(kind: ObjectKind, hash: ObjectHash): Uint8Array<ArrayBuffer>;
}

/** Objects and bytes added to the output. */
export interface WrittenObjects {
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Writes objects to the output so that every named object is complete, even after a crash or power failure. All objects
 * are written under temporary names, flushed and renamed, and then their folders are flushed (fsync(2), rename(2)).
 *
 * Writers in several threads may stage objects in parallel; then `placeStaged` puts all of them in place.
 */
export class ObjectWriter implements ObjectStore {
  readonly #out: string;
  readonly #existing: Existing;
  #objects = 0;
  #bytes = 0;

  /** @param out the output folder */
  constructor(out: string, existing: Existing) {
    this.#out = out;
    this.#existing = existing;
  }

  /**
   * Stages an object, unless the output has it.
   *
   * @param hash of the content, if it is known
   * @returns its hash
   * @throws OutputUnwritable
   */
  put(kind: ObjectKind, content: string | Uint8Array, hash = objectHash(content)): ObjectHash {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const path = objectPath(kind, hash);
    if (this.#has(join(this.#out, path), bytes)) return hash;
    guardingOutput(join(this.#out, path), () => {
      const file = openNew(this.#staged(path));
      if (file === undefined) return; // Already staged, perhaps by another writer.
      try {
        writeFileSync(file, bytes);
      } finally {
        closeSync(file);
      }
      this.count({ objects: 1, bytes: bytes.length });
    });
    return hash;
  }

  /** The bytes of an object in the output, or staged by this build. */
  read(kind: ObjectKind, hash: ObjectHash): Buffer<ArrayBuffer> {
    const path = objectPath(kind, hash);
    // Staged first: the output may have a damaged one, which this build replaces.
    const staged = this.#staged(path);
    return readFileSync(existsSync(staged) ? staged : join(this.#out, path));
  }

  #staged(path: string): string {
    return stagedPath(this.#out, path, this.#existing === 'absent');
  }

  #has(path: string, bytes: Uint8Array): boolean {
    if (this.#existing === 'absent' || statSync(path, { throwIfNoEntry: false })?.size !== bytes.length)
      return false;
    return this.#existing === 'trusted' || readFileSync(path).equals(bytes);
  }

  /** Counts objects that were staged. */
  count({ objects, bytes }: WrittenObjects): void {
    this.#objects += objects;
    this.#bytes += bytes;
  }

  /** All counted objects. */
  written(): WrittenObjects {
    return { objects: this.#objects, bytes: this.#bytes };
  }
}
