import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files that only the user who runs Offprint may read, and their folders, under any umask. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Makes a private folder where there is none; the folders it is in have the mode that the umask gives.
 *
 * @throws Error of the file system
 */
export function ensurePrivateFolder(path: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  unlessItExists(() => mkdirSync(path, { mode: PRIVATE_FOLDER }));
}

/**
 * Makes an empty private file where there is none, for SQLite to open: it would use the umask. The log and the
 * other files that SQLite makes next to a database have the mode of the database.
 *
 * @throws Error of the file system
 */
export function ensurePrivateFile(path: string): void {
  unlessItExists(() => closeSync(openSync(path, 'wx', PRIVATE_FILE)));
}

function unlessItExists(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
