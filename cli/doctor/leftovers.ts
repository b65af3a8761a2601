import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readExports } from '../../build/export/known-exports.ts';
import { shellQuoted } from '../../common/shell.ts';
import { killedBackups } from '../backup/killed-backups.ts';
import { commandLine } from '../command-line.ts';
import { restoringPath } from '../commands/restore.ts';
import { type Finding, warning } from './check.ts';
import type { Installation } from './installation.ts';

/** Younger files may belong to a running command. */
const LEAST_AGE_MS = 3_600_000;

/** Temporary files of killed commands. */
export function* findLeftovers({ db, out, now }: Installation): Iterable<Finding> {
  const old = (paths: readonly string[]) => paths.filter(isOld(now));
  for (const path of killedBackupsNear(db, out))
    yield warning(`${path} was left by a backup that was killed. It holds keys.`, `rm ${shellQuoted(path)}`);
  for (const path of old([restoringPath(db)]))
    yield warning(
      `${path} was left by a restore that was killed. It may hold keys.`,
      `rm ${shellQuoted(path)}`,
    );
  for (const folder of exportedFolders(out))
    if (old([join(folder, '.offprint', 'staged')]).length > 0)
      yield warning(
        `The export to ${folder} was interrupted.`,
        `Finish it: ${commandLine(`export ${shellQuoted(folder)}`)}`,
      );
  const staging = join(out, 'state', 'staging');
  if (old(pathsIn(staging)).length > 0)
    yield warning(
      `${staging} holds files of a build that was killed.`,
      `The next build removes them: ${commandLine('build')}`,
    );
  const replacements = [out, join(out, 'state'), join(out, 'keys')].flatMap(pathsIn);
  const [file] = old(replacements.filter((path) => path.endsWith('.tmp')));
  if (file !== undefined)
    yield warning(`${file} was left by a command that was killed.`, `rm ${shellQuoted(file)}`);
}

/** Where backups are usual. */
function killedBackupsNear(db: string, out: string): string[] {
  const folders = new Set([process.cwd(), dirname(resolve(db)), dirname(resolve(out))]);
  return [...folders].filter((folder) => existsSync(folder)).flatMap(killedBackups);
}

function exportedFolders(out: string): string[] {
  try {
    return readExports(out).map(({ folder }) => folder);
  } catch {
    return []; // The next export writes the list again.
  }
}

function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isOld(now: Date): (path: string) => boolean {
  return (path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return file !== undefined && file.mtimeMs < now.getTime() - LEAST_AGE_MS;
  };
}
