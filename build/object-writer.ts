import { closeSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectHash } from '../common/object-hash.ts';
import { type ObjectHash, objectPath } from '../contract/object-name.ts';
import type { ObjectKind } from '../contract/object-kinds.ts';
import { guardingOutput, openNew } from '../common/output-files.ts';
import { stagedPath } from './staging.ts';

/**
 * What to make of an object that the output has already: `absent`, nothing was there when the build began,
 * so nothing need be looked for; `trusted`, a name says the content, if its size is right; `checked`, each
 * is read and, where it was damaged, rewritten.
 */
export type Existing = 'absent' | 'trusted' | 'checked';

/** Where objects go, and are read again. */
export interface ObjectStore {
  /** @returns the hash of the object */
  put(kind: ObjectKind, text: string): ObjectHash;
  read(kind: ObjectKind, hash: ObjectHash): string;
}

/** What writers added to the output. */
export interface Written {
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Puts objects into the output so that a name that exists always holds its whole content, whenever the
 * process is killed or the power fails: all are written under other names, flushed, renamed, and their
 * folders flushed (the rules are those of fsync(2) and rename(2)).
 *
 * Several writers, in several threads, may stage objects side by side; one of them puts all in place.
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
   * @param hash of the content, where it is known
   * @returns its hash
   * @throws OutputUnwritable
   */
  put(kind: ObjectKind, content: string | Uint8Array, hash = objectHash(content)): ObjectHash {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const path = objectPath(kind, hash);
    if (this.#has(join(this.#out, path), bytes)) return hash;
    guardingOutput(join(this.#out, path), () => {
      const file = openNew(this.#staged(path));
      if (file === undefined) return; // Staged already, by another writer perhaps.
      try {
        writeFileSync(file, bytes);
      } finally {
        closeSync(file);
      }
      this.#objects += 1;
      this.#bytes += bytes.length;
    });
    return hash;
  }

  /** The text of an object that is in the output, or staged by this build. */
  read(kind: ObjectKind, hash: ObjectHash): string {
    return this.readBytes(kind, hash).toString();
  }

  /** The same of any object. */
  readBytes(kind: ObjectKind, hash: ObjectHash): Buffer {
    const path = objectPath(kind, hash);
    // Staged first: what stands in its place may be half of it, from a build that was killed.
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

  /** What this writer staged. */
  written(): Written {
    return { objects: this.#objects, bytes: this.#bytes };
  }
}
