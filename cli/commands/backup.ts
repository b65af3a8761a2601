import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { refuseUnreadable } from '../../common/errors.ts';
import { flush } from '../../common/flush.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { rename } from '../../common/rename.ts';
import { copyDatabase } from '../backup/copy-database.ts';
import { BackupMisplaced } from '../backup/errors.ts';
import { describeNotIncluded, notIncluded } from '../backup/not-included.ts';
import { colours } from '../colours.ts';
import { type CommandFlags, mainCommand } from '../options.ts';
import { isProcessAlive } from '../process-alive.ts';
import { megabytes } from '../terminal.ts';

interface Options extends CommandFlags {
  readonly db: string;
}

export function backupCommand(): Command {
  return mainCommand('backup', ['db', 'out', 'config', 'json'], 'backup blog-backup.db')
    .argument('<file>', 'the copy to make; it must not exist')
    .action(run);
}

/** Makes the copy next to its place, and renames it when it is whole. */
function run(file: string, options: Options): void {
  const target = resolve(file);
  const folder = dirname(target);
  if (!existsSync(folder))
    throw new BackupMisplaced(file, `cannot be made, since there is no folder ${folder}`);
  // A wrong name must not cost a database.
  if (lstatSync(target, { throwIfNoEntry: false })) throw new BackupMisplaced(file, 'exists already');
  guardingOutput(target, () => removeKilled(folder));
  refuseUnreadable(options.db);
  const unfinished = `${target}.backup-${process.pid}`;
  copyDatabase(options.db, unfinished);
  guardingOutput(target, () => {
    rename(unfinished, target);
    flush('folder', folder);
  });
  const bytes = statSync(target).size;
  if (options.json) return console.log(JSON.stringify({ file, bytes, not_included: notIncluded(options) }));
  console.log(`${colours.green('backed up')} articles, accounts and keys to ${file} (${megabytes(bytes)})`);
  console.log(describeNotIncluded(options));
}

/** Removes what killed backups left, since it holds keys. */
function removeKilled(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.backup-(\d+)(?:-journal)?$/.exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) rmSync(join(folder, name));
  }
}
