import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readExports } from '../../build/export/known-exports.ts';
import { shellQuoted } from '../../common/shell.ts';
import { killedBackups } from '../backup/write.ts';
import { backupParts } from '../backup/parts.ts';
import { commandLine } from '../command-line.ts';
import { type Finding, ok, warning } from './finding.ts';
import type { Installation } from './installation.ts';

/** Younger files may belong to a running command. */
const LEAST_AGE_MS = 3_600_000;

/** Whether killed commands left temporary files. */
export function checkLeftovers(installation: Installation): Finding[] {
  const findings = [
    ...backups(installation),
    ...restores(installation),
    ...exports(installation),
    ...staged(installation),
  ];
  return findings.length > 0 ? findings : [ok('no files of commands that were killed')];
}

function backups({ db, out }: Installation): Finding[] {
  const folders = new Set([process.cwd(), dirname(resolve(db)), dirname(resolve(out))]);
  return [...folders]
    .filter((folder) => existsSync(folder))
    .flatMap(killedBackups)
    .filter(
      ({ path }) =>
        statSync(path).isDirectory() && readdirSync(path).some((name) => /\.db$|\.zip$/.test(name)),
    )
    .map(({ path }) =>
      warning(`${path} was left by a backup that was killed. It holds keys.`, `rm -r ${shellQuoted(path)}`),
    );
}

function restores({ settings, ...flags }: Installation): Finding[] {
  return backupParts(flags, settings)
    .map(({ path }) => `${path}.restoring`)
    .filter(isOld(flags.now))
    .map((path) =>
      warning(`${path} was left by a restore that was killed. It may hold keys.`, `rm ${shellQuoted(path)}`),
    );
}

function exports({ out, now }: Installation): Finding[] {
  return knownExports(out)
    .filter((folder) => isOld(now)(join(folder, '.offprint', 'staged')))
    .map((folder) =>
      warning(
        `The export to ${folder} was interrupted.`,
        `Finish it: ${commandLine(`export ${shellQuoted(folder)}`)}`,
      ),
    );
}

function knownExports(out: string): string[] {
  try {
    return readExports(out).map(({ folder }) => folder);
  } catch {
    return []; // The next export writes the list again.
  }
}

/** Objects of an unfinished build, and temporary files of replacements. */
function staged({ out, now }: Installation): Finding[] {
  const staging = join(out, 'state', 'staging');
  const [object] = namesIn(staging)
    .map((name) => join(staging, name))
    .filter(isOld(now));
  const [file] = [out, join(out, 'state'), join(out, 'keys')]
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => name.endsWith('.tmp'))
        .map((name) => join(folder, name)),
    )
    .filter(isOld(now));
  return [
    ...(object === undefined
      ? []
      : [
          warning(
            `${staging} holds files of a build that was killed.`,
            `The next build removes them: ${commandLine('build')}`,
          ),
        ]),
    ...(file === undefined
      ? []
      : [warning(`${file} was left by a command that was killed.`, `rm ${shellQuoted(file)}`)]),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
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
