import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ObjectHash, objectPath, toObjectHash } from '../contract/object-name.ts';
import { OBJECT_KINDS, type ObjectKind } from '../contract/snapshot.ts';
import { OutputUnwritable } from './errors.ts';

/** From so many files on, the whole file system is flushed once, which is cheaper than each file. */
const MANY_FILES = 512;

/**
 * What to make of an object that the output has already: `absent`, nothing was there when the build began,
 * so nothing need be looked for; `trusted`, a name says the content; `checked`, each is read and, where it
 * was damaged, written anew.
 */
export type Existing = 'absent' | 'trusted' | 'checked';

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
export class ObjectWriter {
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
   * @returns its hash
   * @throws OutputUnwritable
   */
  put(kind: ObjectKind, text: string): ObjectHash {
    const bytes = Buffer.from(text);
    const hash = toObjectHash(createHash('sha256').update(bytes).digest());
    const path = join(this.#out, objectPath(kind, hash));
    if (this.#has(path, bytes)) return hash;
    guardingOutput(path, () => {
      const file = openNew(join(stagingFolder(this.#out), stagedName(kind, hash)));
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
    const path = join(this.#out, objectPath(kind, hash));
    return readFileSync(
      existsSync(path) ? path : join(stagingFolder(this.#out), stagedName(kind, hash)),
      'utf8',
    );
  }

  #has(path: string, bytes: Buffer): boolean {
    if (this.#existing === 'absent' || !existsSync(path)) return false;
    return this.#existing === 'trusted' || readFileSync(path).equals(bytes);
  }

  /** What this writer staged. */
  written(): Written {
    return { objects: this.#objects, bytes: this.#bytes };
  }
}

/** Removes what builds that were killed left behind, and makes room for the next. Under the lock alone. */
export function clearStaging(out: string): void {
  const folder = stagingFolder(out);
  guardingOutput(folder, () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  });
}

/**
 * Makes all that was staged durable, and visible under its own name.
 *
 * @throws OutputUnwritable
 */
export function placeStaged(out: string): void {
  const staging = stagingFolder(out);
  guardingOutput(out, () => {
    const staged = readdirSync(staging);
    flushAll(
      out,
      staged.map((name) => join(staging, name)),
    );
    const folders = new Set<string>();
    for (const name of staged) {
      const path = join(out, objectPath(...parseStagedName(name)));
      renameInto(join(staging, name), path, folders);
    }
    flushAll(out, [...folders]);
  });
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

/** Runs `work`; what the file system refuses becomes an error that says what to do. */
export function guardingOutput<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = OutputUnwritable.codeOf(error);
    throw code === undefined ? error : new OutputUnwritable(path, code);
  }
}

function stagingFolder(out: string): string {
  return join(out, 'state', 'staging');
}

/** By kind and hash, so that whoever puts it in place needs to know nothing else. */
function stagedName(kind: ObjectKind, hash: ObjectHash): string {
  return `${kind}-${hash}`;
}

function parseStagedName(name: string): [ObjectKind, ObjectHash] {
  const dash = name.lastIndexOf('-');
  const kind = OBJECT_KINDS.find((known) => known === name.slice(0, dash));
  if (!kind) throw new Error(`There is a file "${name}" in staging that no build has put there.`);
  return [kind, name.slice(dash + 1)];
}

/** Undefined: there is such a file already. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

/** @param folders is told of each folder whose entries change */
function renameInto(staged: string, path: string, folders: Set<string>): void {
  const folder = dirname(path);
  if (!folders.has(folder)) {
    const made = mkdirSync(folder, { recursive: true });
    for (let at = folder; made !== undefined && at.length >= made.length; at = dirname(at))
      folders.add(dirname(at));
    folders.add(folder);
  }
  renameSync(staged, path);
}

function flushAll(out: string, paths: readonly string[]): void {
  if (paths.length < MANY_FILES || !flushFileSystem(out)) for (const path of paths) flush(path);
}

/** syncfs(2), which Node does not offer, but `sync -f` of the GNU and BusyBox tools does. */
function flushFileSystem(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('sync', ['-f', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
