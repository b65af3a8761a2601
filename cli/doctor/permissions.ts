import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { userName } from '../../common/permissions.ts';
import { shellQuoted } from '../../common/shell.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { openToOthers, othersMay } from '../private-output.ts';
import { count } from '../terminal.ts';
import { error, type Finding, warning } from './check.ts';
import { type Installation, databasesOf } from './installation.ts';

/** Files that Offprint's user cannot read or write, and files that other users can. */
export function* findPermissions(installation: Installation): Iterable<Finding> {
  if (process.platform === 'win32') return;
  const user = serviceUser(installation);
  if (user !== undefined && user.uid !== 0) {
    yield* otherOwners(installation, user);
    // Root may write them anyway.
    for (const path of [...outputFolders(installation), ...databasesOf(installation)])
      if (stat(path)?.uid === user.uid && ((stat(path)?.mode ?? 0) & 0o200) === 0)
        yield error(
          `${path} has a mode that does not let its owner, ${userName(user.uid)}, write it.`,
          `chmod u+w ${shellQuoted(path)}`,
        );
  }
  yield* otherUser(user);
  yield* openFiles(installation);
}

/** Offprint's user: the owner of the output, or of the database if there is no output yet. */
function serviceUser({ out, db }: Installation): Stats | undefined {
  return stat(out) ?? stat(db);
}

/** Files that the service's user cannot replace, usually because a command once ran as root. */
function* otherOwners(installation: Installation, user: Stats): Iterable<Finding> {
  const { out } = installation;
  const inOutput = [out, ...entries(out, 0)].filter((path) => stat(path)?.uid !== user.uid);
  const unusable = databasesOf(installation)
    .flatMap((path) => [dirname(path), path, `${path}-wal`, `${path}-shm`])
    .filter((path) => !mayWrite(stat(path), user));
  const [path, ...others] = [...inOutput, ...unusable];
  if (path === undefined) return;
  const [name, owner] = [userName(user.uid), userName(stat(path)?.uid ?? 0)];
  const more = others.length === 0 ? '' : `, and ${count(others.length)} more`;
  const commands = [
    ...(inOutput.length > 0 ? [`chown -R ${name} ${shellQuoted(out)}`] : []),
    ...(unusable.length > 0 ? [`chown ${name} ${[...new Set(unusable)].map(shellQuoted).join(' ')}`] : []),
  ];
  yield error(
    `Offprint runs as ${name} here, but ${path} belongs to ${owner}${more}: ${name} cannot write there.`,
    `As root: ${commands.join(' && ')}`,
  );
}

/** The folders that a build writes to. */
function outputFolders({ out }: Installation): string[] {
  return [out, ...['objects', 'state', 'keys'].map((name) => join(out, name))];
}

function* otherUser(user: Stats | undefined): Iterable<Finding> {
  const uid = process.getuid?.() ?? 0;
  if (user === undefined || user.uid === uid) return;
  const [owner, name] = [userName(user.uid), userName(uid)];
  yield warning(
    `The files belong to ${owner}, and you are ${name}: ${uid === 0 ? `files that commands make would belong to ${name}` : 'some may not be readable'}.`,
    `Run commands as ${owner}: sudo -u ${owner} …`,
  );
}

function* openFiles(installation: Installation): Iterable<Finding> {
  const { out, config } = installation;
  const databases = databasesOf(installation);
  for (const path of databases) {
    const can = othersMay(path);
    const level = can === 'change' ? error : warning;
    if (can !== null)
      yield level(
        `Other users of this machine may ${can} ${path}, with its accounts and unpublished articles.`,
        `chmod 600 ${shellQuoted(path)}`,
      );
  }
  const [open, ...others] = openToOthers(out);
  const more = others.length === 0 ? '' : `, and ${count(others.length)} more`;
  if (open !== undefined)
    yield warning(
      `Other users of this machine may read ${open.path}${more}.`,
      `chmod -R go= ${['state', 'keys'].map((name) => shellQuoted(join(out, name))).join(' ')}`,
    );
  const folders = [...outputFolders(installation), ...databases.map((path) => dirname(path))];
  for (const path of [join(out, POINTER_PATH), config, ...new Set(folders)]) {
    const mode = stat(path)?.mode ?? 0;
    // As in /tmp: others may add files, but not replace these.
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      yield error(`Other users of this machine may change ${path}.`, `chmod o-w ${shellQuoted(path)}`);
  }
}

/** Whether a user may write to a file; true if it does not exist. */
function mayWrite(file: Stats | undefined, user: Stats): boolean {
  if (file === undefined || file.uid === user.uid) return true;
  return (file.mode & (file.gid === user.gid ? 0o020 : 0o002)) !== 0;
}

/** Objects are replaced by a rename, so only the permissions of their folders matter. */
const DEEPEST = 3;

function entries(folder: string, depth: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() && depth < DEEPEST ? [path, ...entries(path, depth + 1)] : [path];
    });
  } catch {
    return []; // It belongs to another user.
  }
}

function stat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // In a folder of another user.
  }
}
