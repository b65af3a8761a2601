import { execFileSync, spawn } from 'node:child_process';
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
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ObjectHash, objectPath, toObjectHash } from '../contract/object-name.ts';
import type { ObjectKind } from '../contract/snapshot.ts';
import { OutputUnwritable } from './errors.ts';

/** From so many files on, the whole file system is flushed once, which is cheaper than each file. */
const MANY_FILES = 512;

/**
 * What to make of an object that the output has already: `absent`, nothing was there when the build began,
 * so nothing need be looked for; `trusted`, a name says the content, if its size is right; `checked`, each
 * is read and, where it was damaged, written anew.
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
      const file = openNew(stagedPath(this.#out, kind, hash));
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
    return readFileSync(existsSync(path) ? path : stagedPath(this.#out, kind, hash), 'utf8');
  }

  #has(path: string, bytes: Buffer): boolean {
    if (this.#existing === 'absent' || statSync(path, { throwIfNoEntry: false })?.size !== bytes.length)
      return false;
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
    ensureFolder(folder);
  });
}

/** Begins to flush what was staged so far, while more is being made: less is left to wait for at the end. */
export function flushAhead(out: string): void {
  if (process.platform === 'linux')
    spawn('sync', ['-f', out], { stdio: 'ignore' }).on('error', () => undefined);
}

/**
 * Makes all that was staged durable, and visible under its own name.
 *
 * @throws OutputUnwritable
 */
export function placeStaged(out: string): void {
  const staging = join(stagingFolder(out), 'objects');
  guardingOutput(out, () => {
    if (!existsSync(staging)) return;
    const staged = filesIn(staging);
    flushAll(
      out,
      staged.map((path) => join(staging, path)),
    );
    const objects = join(out, 'objects');
    const folders = new Set<string>();
    if (existsSync(objects)) {
      for (const path of staged) renameInto(join(staging, path), join(objects, path), folders);
    } else {
      renameSync(staging, objects); // All at once: nothing was published here yet.
      for (const path of staged) for (const folder of foldersOf(path)) folders.add(join(objects, folder));
      folders.add(out);
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

/** As objects stand in the output, so that the whole tree can take its place. */
function stagedPath(out: string, kind: ObjectKind, hash: ObjectHash): string {
  return join(stagingFolder(out), objectPath(kind, hash));
}

/** Paths from the folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((kind) =>
    readdirSync(join(folder, kind)).flatMap((shard) =>
      readdirSync(join(folder, kind, shard)).map((file) => join(kind, shard, file)),
    ),
  );
}

/** `a/b/c` is in `a/b`, `a` and `.`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** Makes a folder and those it is in. Step by step: where one cannot be made, Node's own way may not end. */
export function ensureFolder(path: string): void {
  if (existsSync(path)) return;
  ensureFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Undefined: there is such a file already. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined;
    if (!isCode(error, 'ENOENT')) throw error;
    ensureFolder(dirname(path));
    return openNew(path);
  }
}

/** @param folders is told of each folder whose entries change */
function renameInto(staged: string, path: string, folders: Set<string>): void {
  const folder = dirname(path);
  if (!folders.has(folder)) {
    if (!existsSync(folder)) folders.add(dirname(folder)).add(dirname(dirname(folder)));
    ensureFolder(folder);
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
