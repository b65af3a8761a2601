/**
 * Files of the output: atomic writes, and errors that tell the operator what to do.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import nodePath, { dirname, join } from 'node:path';
import { ensurePrivateFolder, PRIVATE_FILE } from './private-files.ts';
import { OutputUnwritable } from './errors.ts';
import { flush } from './flush.ts';
import { rename } from './rename.ts';
import { codeOf, errorPath } from './thrown.ts';

/** For objects and the pointer. The umask decides who can read them; only the owner can change what is served. */
const PUBLIC_MODE = 0o644;

/** Without `O_NONBLOCK`, opening a pipe in place of a file would wait for a writer. (Windows has none: `|` takes it as 0.) */
export const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/** A file as text; a pipe in its place is empty. */
export function readTextFile(path: string): string {
  const file = openSync(path, READING);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file atomically and durably: readers see the old or the new content, never a part.
 *
 * @throws OutputUnwritable
 */
export function replaceFile(path: string, text: string): void {
  stage(path, text, PUBLIC_MODE).place();
}

/**
 * Like replaceFile, for files that only the user who runs Offprint may read, as in `state/` and `keys/`.
 *
 * @throws OutputUnwritable
 */
function replacePrivateFile(path: string, content: string | Uint8Array): void {
  stage(path, content, PRIVATE_FILE).place();
}

/**
 * The same; on a full disk the file is overwritten in place, which takes no space. Readers may then see a part.
 *
 * @param text not longer than the file, if it must be written
 * @throws OutputUnwritable
 */
export function replaceOrOverwrite(path: string, text: string): void {
  try {
    replacePrivateFile(path, text);
  } catch (error) {
    guardingOutput(path, () => {
      if (!(error instanceof OutputUnwritable) || !existsSync(path)) throw error;
      const file = openSync(path, 'r+');
      try {
        writeFileSync(file, text);
        ftruncateSync(file, Buffer.byteLength(text));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    });
  }
}

/**
 * Writes an open database again whose file was deleted, and closes it: the next process that opens the path has all of it.
 *
 * @throws OutputUnwritable
 */
export function rewriteDeleted(path: string, db: { serialize(): Uint8Array; close(): unknown }): void {
  ensurePrivateFolder(dirname(path));
  replacePrivateFile(path, db.serialize());
  db.close(); // Not after the next one is opened: closing deletes the log that has this name.
}

/** A file that is written and flushed, and not yet in its place. */
export interface StagedFile {
  /** Replaces the file in its place, which takes no space. @throws OutputUnwritable */
  place(): void;
  discard(): void;
}

/** The first half of replacePrivateFile. @throws OutputUnwritable */
export function stagePrivateFile(path: string, content: string | Uint8Array): StagedFile {
  return stage(path, content, PRIVATE_FILE);
}

/** @param mode before the umask */
function stage(path: string, content: string | Uint8Array, mode: number): StagedFile {
  const staged = `${path}.${randomUUID()}.tmp`;
  const discard = (): void => rmSync(staged, { force: true });
  /** @throws OutputUnwritable */
  function orDiscard(work: () => void): void {
    guardingOutput(path, () => {
      try {
        work();
      } catch (error) {
        discard();
        throw error;
      }
    });
  }
  orDiscard(() => {
    const file = openSync(staged, 'wx', mode);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
  return {
    discard,
    place() {
      orDiscard(() => rename(staged, path));
      guardingOutput(path, () => flush('folder', dirname(path)));
    },
  };
}

/** Runs `work`. @throws OutputUnwritable for file system errors that the operator can fix; other errors pass through */
export function guardingOutput<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asOutputError(path, error);
  }
}

/** The same for work that takes a while. */
export async function guardingOutputUntil<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asOutputError(path, error);
  }
}

function asOutputError(path: string, error: unknown): unknown {
  const code = OutputUnwritable.codeOf(error);
  return code === undefined ? error : new OutputUnwritable(path, code, errorPath(error));
}

/** Creates a folder and its parents, one by one: if one cannot be created, Node's recursive `mkdir` may not return. */
export function ensureFolder(path: string): void {
  for (const folder of missingFolders(path, existsSync)) {
    try {
      mkdirSync(folder, { mode: 0o755 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** The folders to create for a path, outermost first. The root may be one: a drive that is missing. */
export function missingFolders(
  path: string,
  exists: (path: string) => boolean,
  paths: Pick<typeof nodePath, 'dirname'> = nodePath,
): string[] {
  if (exists(path)) return [];
  const parent = paths.dirname(path);
  return parent === path ? [path] : [...missingFolders(parent, exists, paths), path];
}

/** Creates `out/state`, which other users must not read. */
export function ensureStateFolder(out: string): void {
  ensureFolder(out);
  ensurePrivateFolder(join(out, 'state'));
}

/**
 * Creates and opens a file, and its folders if they are missing.
 *
 * @returns undefined if the file exists
 */
export function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', PUBLIC_MODE);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    if (codeOf(error) !== 'ENOENT') throw error;
    ensureFolder(dirname(path));
    return openNew(path);
  }
}
