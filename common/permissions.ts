/** Why the operating system refuses a file, in words: which permission is missing, whose the file is, and what to do. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shellQuoted } from './shell.ts';
import { isDenied } from './thrown.ts';

/** What a user may lack: `enter` is of folders. */
type Permission = 'enter' | 'read' | 'write';

const MODES: Readonly<Record<Permission, number>> = {
  enter: constants.X_OK,
  read: constants.R_OK,
  write: constants.W_OK,
};

/** As chmod names them. */
const LETTERS: Readonly<Record<Permission, string>> = { enter: 'x', read: 'r', write: 'w' };

/** The file or folder that is in the way. */
interface Obstacle {
  readonly path: string;
  readonly lacks: Permission;
  readonly isFolder: boolean;
  readonly owner: User;
}

/** A user of this machine, as far as passwd(5) knows. */
interface User {
  readonly uid: number;
  readonly name: string;
  readonly home: string | null;
}

/** The name of a user; the number where no name is known. */
export function userName(uid: number): string {
  return userOf(uid).name;
}

/**
 * Says why a path cannot be used: `permission denied: it belongs to root, and ada may not read it. Run this as root, …`
 *
 * @param wish what is wanted of the path; it need not exist for `write`
 * @returns without a full stop; null where permissions are not the reason, or are not known
 */
export function denial(path: string, wish: 'read' | 'write'): string | null {
  const uid = process.geteuid?.();
  const found = uid === undefined ? null : obstacle(resolve(path), wish);
  if (uid === undefined || found === null) return null;
  const user = userOf(uid).name;
  const { path: place, lacks, owner } = found;
  const what = lacks === 'write' && found.isFolder ? 'write to' : lacks;
  const it = place === resolve(path) ? 'it' : place;
  if (owner.uid === uid)
    return `permission denied: ${it} has a mode that does not let its owner, ${user}, ${what} it. Allow it: chmod u+${LETTERS[lacks]} ${shellQuoted(place)}`;
  return `permission denied: ${it} belongs to ${owner.name}, and ${user} may not ${what} it. ${remedy(found, user)}`;
}

function remedy({ path, isFolder, owner }: Obstacle, user: string): string {
  const asOwner = `Run this as ${owner.name}`;
  // What other programs use too is not given away.
  if (isFolder && (dirname(dirname(path)) === dirname(path) || path === owner.home || isShared(path)))
    return `${asOwner}, or choose a place that ${user} may use`;
  return `${asOwner}, or give it to ${user}: chown ${isFolder ? '-R ' : ''}${user} ${shellQuoted(path)}`;
}

/** Looks from the root of the file system down to the path. */
function obstacle(path: string, wish: 'read' | 'write'): Obstacle | null {
  for (const folder of foldersOf(path)) {
    if (!exists(folder)) break;
    if (!statSync(folder).isDirectory()) return null; // A file is in the way, not a permission.
    if (!may(folder, 'enter')) return named(folder, 'enter');
  }
  if (exists(path)) {
    if (!may(path, 'read')) return named(path, 'read');
    if (statSync(path).isDirectory() && !may(path, 'enter')) return named(path, 'enter');
    if (wish === 'read') return null;
    if (!may(path, 'write')) return named(path, 'write');
  }
  if (wish === 'read') return null;
  const folder = foldersOf(path).findLast(exists);
  return folder === undefined || may(folder, 'write') ? null : named(folder, 'write');
}

/** The folders that a path is in, the root first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...foldersOf(folder), folder];
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function may(path: string, permission: Permission): boolean {
  try {
    accessSync(path, MODES[permission]);
    return true;
  } catch (error) {
    return !isDenied(error); // A read-only file system refuses everyone.
  }
}

function named(path: string, lacks: Permission): Obstacle {
  const file = statSync(path);
  return { path, lacks, isFolder: file.isDirectory(), owner: userOf(file.uid) };
}

/** Such as `/tmp`: each user may only change what is its own. */
function isShared(path: string): boolean {
  return (statSync(path).mode & 0o1000) !== 0;
}

function userOf(uid: number): User {
  const fields = accounts().find((line) => line[2] === String(uid));
  return { uid, name: fields?.[0] ?? String(uid), home: fields?.[5] ?? null };
}

/** Lines of passwd(5). */
function accounts(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return []; // A system without this file.
  }
}
