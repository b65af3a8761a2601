import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ObjectHash, objectPath, toObjectHash } from '../contract/object-name.ts';
import type { ObjectKind } from '../contract/snapshot.ts';
import { OutputUnwritable } from './errors.ts';

/** Staged files are made durable and put in place in groups: one disk flush serves many. */
const GROUP_SIZE = 256;

/** What a build added to the output. */
export interface Written {
  /** Distinct objects of the snapshot, new or not. */
  readonly total: number;
  /** New objects, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Puts objects into the output so that a name that exists always holds its whole content, whenever the
 * process is killed or the power fails: write under another name, flush, rename, flush the folder.
 *
 * After litestream's file client; the rule is that of fsync(2) and rename(2).
 */
export class ObjectWriter {
  readonly #out: string;
  readonly #staging: string;
  readonly #staged = new Map<string, string>(); // final path → staged path
  readonly #folders = new Set<string>();
  readonly #named = new Set<ObjectHash>();
  #objects = 0;
  #bytes = 0;

  /** @param out the output folder */
  constructor(out: string) {
    this.#out = out;
    this.#staging = join(out, 'state', 'staging', randomUUID());
    guardingOutput(this.#staging, () => mkdirSync(this.#staging, { recursive: true }));
  }

  /**
   * Takes an object in; it is in place after the next `settle` at the latest.
   *
   * @returns its hash
   * @throws OutputUnwritable
   */
  put(kind: ObjectKind, text: string): ObjectHash {
    const bytes = Buffer.from(text);
    const hash = toObjectHash(createHash('sha256').update(bytes).digest());
    this.#named.add(hash);
    const path = join(this.#out, objectPath(kind, hash));
    if (this.#staged.has(path) || existsSync(path)) return hash;

    const staged = join(this.#staging, `${this.#staged.size}`);
    guardingOutput(path, () => {
      const file = openSync(staged, 'wx');
      try {
        writeFileSync(file, bytes);
      } finally {
        closeSync(file);
      }
    });
    this.#staged.set(path, staged);
    this.#objects += 1;
    this.#bytes += bytes.length;
    if (this.#staged.size >= GROUP_SIZE) this.#place();
    return hash;
  }

  /** Says that the snapshot has an object too that an earlier build put in place. */
  keep(hash: ObjectHash): void {
    this.#named.add(hash);
  }

  /**
   * Makes everything taken in so far durable and visible.
   *
   * @throws OutputUnwritable
   */
  settle(): Written {
    this.#place();
    for (const folder of this.#folders) guardingOutput(folder, () => flush(folder));
    this.#folders.clear();
    rmSync(this.#staging, { recursive: true, force: true });
    return { total: this.#named.size, objects: this.#objects, bytes: this.#bytes };
  }

  #place(): void {
    for (const [path, staged] of this.#staged) guardingOutput(path, () => flush(staged));
    for (const [path, staged] of this.#staged) {
      const folder = dirname(path);
      guardingOutput(path, () => {
        if (!this.#folders.has(folder)) {
          const made = mkdirSync(folder, { recursive: true });
          if (made !== undefined) this.#folders.add(dirname(made));
          this.#folders.add(folder);
        }
        renameSync(staged, path);
      });
    }
    this.#staged.clear();
  }
}

/** Removes what builds that were killed left in staging. Only whoever holds the build's lock may. */
export function clearStaging(out: string): void {
  rmSync(join(out, 'state', 'staging'), { recursive: true, force: true });
}

/**
 * Replaces a file at once and for good: a reader finds the old content or the new, never a part.
 *
 * @throws OutputUnwritable
 */
export function replaceFile(path: string, text: string): void {
  guardingOutput(path, () => {
    const staged = `${path}.${randomUUID()}.tmp`;
    try {
      const file = openSync(staged, 'wx');
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(staged, path);
    } catch (error) {
      rmSync(staged, { force: true });
      throw error;
    }
    flush(dirname(path));
  });
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Runs `work`; what the file system refuses becomes an error that says what to do. */
export function guardingOutput<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = OutputUnwritable.codeOf(error);
    throw code === undefined ? error : new OutputUnwritable(path, code);
  }
}
