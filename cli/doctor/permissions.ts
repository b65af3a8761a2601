import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { userName } from '../../common/permissions.ts';
import { shellQuoted } from '../../common/shell.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { openDatabase } from '../private-output.ts';
import { count } from '../terminal.ts';
import { error, type Finding, type Installation, warning } from './check.ts';

/** Files that Offprint's user cannot write, and files that other users can read or change. */
export function* findPermissions(installation: Installation): Iterable<Finding> {
  if (process.platform === 'win32') return;
  const { out, db } = installation;
  const owner = (tryLstat(out) ?? tryLstat(db))?.uid;
  // A command that once ran as root may have made all of it.
  const user = owner === 0 ? process.geteuid?.() : owner;
  if (user !== undefined && user !== 0) yield* otherOwners(installation, user);
  yield* openFiles(installation);
}

/**
 * Files that the service's user cannot replace, usually because a command once ran as root.
 *
 * @param user the owner of the output, or of the database if there is no output yet; if that is root, who runs this
 */
function* otherOwners({ out, db }: Installation, user: number): Iterable<Finding> {
  const isOther = (path: string): boolean => (tryLstat(path)?.uid ?? user) !== user;
  const inOutput = [out, ...listEntries(out)].filter(isOther);
  const outside = [db, `${db}-wal`, `${db}-shm`].filter(isOther);
  const [path, ...others] = [...inOutput, ...outside];
  if (path === undefined) return;
  const [name, owner] = [userName(user), userName(tryLstat(path)?.uid ?? 0)];
  const more = others.length === 0 ? '' : `, and ${count(others.length)} more`;
  const named = [...(inOutput.length > 0 ? [out] : []), ...outside].map(shellQuoted).join(' ');
  yield error(
    `Offprint runs as ${name} here, but ${path} belongs to ${owner}${more}: ${name} cannot write there.`,
    `As root: chown -R ${name} ${named}`,
  );
}

/** Commands close `state/` and `keys/` to others themselves. */
function* openFiles(installation: Installation): Iterable<Finding> {
  const { db, out, config } = installation;
  const open = openDatabase(db);
  if (open !== null) yield (open.can === 'change' ? error : warning)(open.finding, open.next);
  const folders = new Set([out, join(out, 'objects'), ...(existsSync(db) ? [dirname(db)] : [])]);
  for (const path of [join(out, POINTER_PATH), config, ...folders]) {
    const mode = tryLstat(path)?.mode ?? 0;
    // As in /tmp: others may add files, but not replace these.
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      yield error(`Other users of this machine can change ${path}.`, `chmod o-w ${shellQuoted(path)}`);
  }
}

/** All paths in a folder that this user can read. */
function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...listEntries(path)] : [path];
    });
  } catch {
    return []; // A file, or a folder of another user.
  }
}

/** Undefined: it is missing, or in a folder of another user. */
function tryLstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
