/**
 * Files of the output: written whole or not at all, and what the file system refuses said so that the
 * owner knows what to do.
 */
import { randomUUID } from 'node:crypto';
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
import { ensurePrivateFolder, PRIVATE_FILE } from './private-files.ts';
import { OutputUnwritable } from './errors.ts';

/** Of objects and the pointer: others may read them as the umask says. Who may write them decides what is served. */
const PUBLIC_MODE = 0o644;

/**
 * Replaces a file at once and for good: a reader finds the old content or the new, never a part.
 *
 * @throws OutputUnwritable
 */
export function replaceFile(path: string, text: string): void {
  replace(path, text, PUBLIC_MODE);
}

/**
 * The same for a file that only the user who runs Offprint may read, as all in `state/` and `keys/`.
 *
 * @throws OutputUnwritable
 */
export function replacePrivateFile(path: string, text: string): void {
  replace(path, text, PRIVATE_FILE);
}

/** @param mode before the umask */
function replace(path: string, text: string, mode: number): void {
  guardingOutput(path, () => {
    const staged = `${path}.${randomUUID()}.tmp`;
    try {
      const file = openSync(staged, 'wx', mode);
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

/** Makes a folder and those it is in. Step by step: where one cannot be made, Node's own way may not end. */
export function ensureFolder(path: string): void {
  if (existsSync(path)) return;
  ensureFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

/** Creates `out/state`, which other users must not read. */
export function ensureStateFolder(out: string): void {
  ensureFolder(out);
  ensurePrivateFolder(join(out, 'state'));
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Opens a file that must not exist yet, making its folders where need be.
 *
 * @returns undefined where there is such a file already
 */
export function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', PUBLIC_MODE);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined;
    if (!isCode(error, 'ENOENT')) throw error;
    ensureFolder(dirname(path));
    return openNew(path);
  }
}

/** Makes a file or a folder's entries durable (fsync(2)). */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
