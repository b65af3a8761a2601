import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { ExplainedError, refuseUnreadable } from '../../common/errors.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { copyDatabase, placeCopy } from '../backup/copy-database.ts';
import { describeNotIncluded, notIncluded } from '../backup/not-included.ts';
import { colours } from '../colours.ts';
import { type CommandFlags, mainCommand } from '../options.ts';
import { isProcessAlive } from '../process-alive.ts';
import { megabytes, printResult } from '../terminal.ts';

interface Options extends CommandFlags {
  readonly db: string;
}

export function backupCommand(): Command {
  return mainCommand('backup', ['db', 'out', 'config', 'json'], 'backup blog-backup.db')
    .argument('<file>', 'the copy to create; it must not exist')
    .action(run);
}

/** Writes the copy next to its target, and renames it when it is complete. */
function run(file: string, options: Options): void {
  const target = resolve(file);
  const folder = dirname(target);
  const fault = !existsSync(folder)
    ? `cannot be created, because the folder ${folder} does not exist`
    : lstatSync(target, { throwIfNoEntry: false }) && 'exists already'; // A wrong name must not cost a database.
  if (fault) throw new ExplainedError(`No backup was made: ${file} ${fault}. Choose another file.`);
  guardingOutput(target, () => removeKilled(folder));
  refuseUnreadable(options.db);
  const unfinished = `${target}.backup-${process.pid}`;
  copyDatabase(options.db, unfinished);
  placeCopy(unfinished, target);
  const bytes = statSync(target).size;
  const done = `${colours.green('backed up')} articles, accounts and keys to ${file} (${megabytes(bytes)})`;
  printResult(
    options.json,
    { file, bytes, not_included: notIncluded(options) },
    `${done}\n${describeNotIncluded(options)}`,
  );
}

/** Removes leftovers of killed backups, since they contain keys. */
function removeKilled(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.backup-(\d+)(?:-journal)?$/.exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) rmSync(join(folder, name));
  }
}
