import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { POINTER_PATH } from '../contract/pointer.ts';
import { shellQuoted } from '../common/shell.ts';
import { colours } from './colours.ts';
import { printable } from './printable.ts';
import { count, counted } from './terminal.ts';

/** Folders of an output that other users must not read (out/README.md). */
const PRIVATE = ['state', 'keys'];

/** Permission bits of group and others. */
const OTHERS = 0o077;

/**
 * Restricts permissions of `state/` and `keys/` and their files, which an earlier version or a copy may have left open.
 * Reports it once, even if the file system refuses; never fails.
 */
export function tightenOutput(out: string, report: (message: string) => void): void {
  const open = openToOthers(out);
  const refused = open.filter((path) => !tighten(path));
  const tightened = open.length - refused.length;
  const label = colours.yellow('note:');
  if (tightened > 0)
    report(
      `${label} other users of this machine could read ${counted(tightened, 'file or folder', 'files and folders')} ` +
        `in state/ and keys/ of ${printable(out)}. Offprint has restricted access to them.`,
    );
  if (refused.length > 0)
    report(
      `${label} other users of this machine may be able to read ${printable(refused[0] ?? '')}` +
        `${refused.length > 1 ? ` and ${count(refused.length - 1)} more` : ''}: its mode cannot be changed. ` +
        `Make the user that Offprint runs as its owner, or restrict its parent folder.`,
    );
}

/** Parts of `state/` and `keys/` that other users can access; empty if the folder is not an output. */
function openToOthers(out: string): readonly string[] {
  if (process.platform === 'win32' || !isOutput(out)) return [];
  return PRIVATE.flatMap((folder) => [join(out, folder), ...filesIn(join(out, folder))]).filter(isOpen);
}

/** Access of other users to a file; null: none. */
function othersMay(path: string): 'change' | 'read' | null {
  const others = process.platform === 'win32' ? 0 : readMode(path) & OTHERS;
  return others === 0 ? null : others & 0o022 ? 'change' : 'read';
}

/** What other users may do with a database of accounts, in a sentence, and the command to prevent it; null: nothing. */
export function openDatabase(path: string) {
  const can = othersMay(path);
  return (
    can && {
      can,
      finding: `Other users of this machine can ${can} ${printable(path)}, with its accounts and unpublished articles.`,
      next: `chmod 600 ${printable(shellQuoted(path))}`,
    }
  );
}

/** Reports it. */
export function noteOpenDatabase(path: string, report: (note: string) => void): void {
  const open = openDatabase(path);
  const finding = open?.finding.replace(/^O/, 'o');
  if (open !== null) report(`${colours.yellow('note:')} ${finding} To prevent that: ${open.next}`);
}

/** Another program's folder is not touched. */
function isOutput(out: string): boolean {
  return [POINTER_PATH, 'state/build.db', 'state/keys.lock'].some((path) => existsSync(join(out, path)));
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  } catch {
    return []; // Missing, or of another user.
  }
}

function isOpen(path: string): boolean {
  return (readMode(path) & OTHERS) !== 0;
}

/** Removes others' permissions. @returns whether they have none: some file systems have no modes, and raise no error */
function tighten(path: string): boolean {
  try {
    chmodSync(path, readMode(path) & ~OTHERS);
  } catch {
    return false;
  }
  return !isOpen(path);
}

/** 0 if it was removed meanwhile. */
function readMode(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}
