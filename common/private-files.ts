import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './thrown.ts';

/** Modes of files that only the user who runs Offprint may read, and of their folders, with any umask. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Creates a private folder if it is missing. Missing parents get the mode of the umask.
 *
 * @throws Error of the file system
 */
export function ensurePrivateFolder(path: string): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  ignoreExisting(() => mkdirSync(path, { mode: PRIVATE_FOLDER }));
}

/**
 * Creates an empty private file if it is missing, for SQLite, which would apply the umask. The log and other files that
 * SQLite creates next to a database have the mode of the database.
 *
 * @throws Error of the file system
 */
export function ensurePrivateFile(path: string): void {
  ignoreExisting(() => closeSync(openSync(path, 'wx', PRIVATE_FILE)));
}

function ignoreExisting(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
