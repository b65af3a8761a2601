/** Explains why the operating system refuses a file: which one, and who owns it. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDenied } from './thrown.ts';

const { R_OK, W_OK, X_OK } = constants;

/**
 * Says why a path cannot be used: `permission denied: it belongs to root, and ada may not read it`
 *
 * @param wish the access that is needed; for `write` the path need not exist
 * @param named the path that the sentence before names, which is "it"
 * @returns without a full stop; null where permissions are not the reason, or are not known
 */
export function denial(path: string, wish: 'read' | 'write', named: string = path): string | null {
  const uid = process.geteuid?.();
  const place = uid === undefined ? null : refusedPlace(resolve(path), wish);
  if (uid === undefined || place === null) return null;
  const { uid: owner } = statSync(place);
  const it = place === resolve(named) ? 'it' : place;
  return `permission denied: ${it} belongs to ${userName(owner)}, and ${userName(uid)} may not ${wish} it`;
}

/** The name of a user as passwd(5) has it; the number where no name is known. */
export function userName(uid: number): string {
  try {
    const users = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
    return users.find((fields) => fields[2] === String(uid))?.[0] ?? String(uid);
  } catch {
    return String(uid); // A system without this file.
  }
}

/** The file or folder that refuses this user: the path, or a folder that it is in; null: none does. */
function refusedPlace(path: string, wish: 'read' | 'write'): string | null {
  const closed = parentFolders(path).find((folder) => isRefused(folder, X_OK));
  if (closed !== undefined) return closed;
  const modes = wish === 'write' ? W_OK : R_OK;
  const [place, needed] = existsSync(path)
    ? [path, isFolder(path) ? modes | R_OK | X_OK : modes | R_OK]
    : [parentFolders(path).findLast((folder) => existsSync(folder)) ?? path, wish === 'write' ? W_OK : 0];
  return isRefused(place, needed) ? place : null;
}

/** The folders that a path is in, the root first. */
function parentFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...parentFolders(folder), folder];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A read-only file system refuses everyone, whatever the permissions. */
function isRefused(path: string, modes: number): boolean {
  try {
    accessSync(path, modes);
    return false;
  } catch (error) {
    return isDenied(error);
  }
}
