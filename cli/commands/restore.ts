import { chmodSync, chownSync, closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { ExplainedError, OutputUnwritable, refuseUnreadable } from '../../common/errors.ts';
import { flush } from '../../common/flush.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { ensurePrivateFolder } from '../../common/private-files.ts';
import { rename } from '../../common/rename.ts';
import { refuseLocked, refuseServer } from '../../data/database.ts';
import { lockCounting } from '../../gateway/node/counting-lock.ts';
import { copyDatabase } from '../backup/copy-database.ts';
import { BackupArchived, BackupUnusable, RestoreRefused } from '../backup/errors.ts';
import { describeNotIncluded, notIncluded } from '../backup/not-included.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { type CommandFlags, givenOptions, mainCommand } from '../options.ts';
import { namingService } from '../place.ts';

interface Options extends CommandFlags {
  readonly db: string;
  readonly force?: boolean;
}

export function restoreCommand(): Command {
  return mainCommand('restore', ['db', 'out', 'config', 'json'], 'restore blog-backup.db')
    .argument('<file>', 'a backup')
    .option('--force', 'replace the database that is there')
    .action(run);
}

/** Copies and checks the backup next to its place before it replaces anything. */
async function run(file: string, { force = false, ...options }: Options): Promise<void> {
  const { db, out } = options;
  refuseServer(db);
  refuseOther(file);
  if (existsSync(db) && !force) throw new RestoreRefused(db);
  const staged = `${db}.restoring`;
  guardingOutput(db, () => {
    if (!existsSync(dirname(db))) ensurePrivateFolder(dirname(db));
  });
  copyBackup(file, staged);
  try {
    await whileUnused(out, db, () => replaceDatabase(staged, db));
  } finally {
    rmSync(staged, { force: true });
  }
  if (options.json) return console.log(JSON.stringify({ file, db, not_included: notIncluded(options) }));
  console.log(`${colours.green('restored')} ${file} to ${db}`);
  console.log(describeNotIncluded(options));
  const given = givenOptions(options, ['db', 'out', 'config']);
  console.log(
    colours.dim(`Publish it again: ${commandLine(`build${given}`)}, or ${commandLine(`start${given}`)}`),
  );
}

const ZIP = 'PK';
const SQLITE = 'SQLite format 3\0';

/** @throws BackupUnusable, PermissionDenied */
function refuseOther(file: string): void {
  refuseUnreadable(file);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) throw new BackupUnusable(file, 'there is no such file');
  if (!isFile) throw new BackupUnusable(file, 'it is a folder');
  const opened = openSync(file, 'r');
  try {
    const header = Buffer.alloc(SQLITE.length);
    readSync(opened, header);
    if (header.toString().startsWith(ZIP)) throw new BackupArchived(file);
    if (header.toString() !== SQLITE)
      throw new BackupUnusable(file, 'it is no database, or its start is damaged');
  } finally {
    closeSync(opened);
  }
}

/** @throws BackupUnusable, OutputUnwritable */
function copyBackup(file: string, staged: string): void {
  try {
    copyDatabase(file, staged);
  } catch (error) {
    if (!(error instanceof ExplainedError) || error instanceof OutputUnwritable) throw error;
    throw new BackupUnusable(file, error.message.replace(/\.$/, ''));
  }
}

/**
 * Runs work while no service serves from the output, and no command writes to the database.
 *
 * @throws AlreadyServing, QuotaInUse, DatabaseLocked
 */
async function whileUnused(out: string, db: string, work: () => void): Promise<void> {
  const unlock = existsSync(join(out, 'state'))
    ? await namingService(out, () => lockCounting(out, 'alone'))
    : null;
  try {
    if (existsSync(db)) refuseLocked(db);
    work();
  } finally {
    unlock?.();
  }
}

/**
 * Moves the copy to its place. It gets the mode of the database that was there, and from root its owner. The old log goes
 * first: SQLite would add it to the new database.
 *
 * @throws OutputUnwritable
 */
function replaceDatabase(staged: string, db: string): void {
  guardingOutput(db, () => {
    const before = statSync(db, { throwIfNoEntry: false });
    if (before) {
      chmodSync(staged, before.mode);
      if (process.geteuid?.() === 0) chownSync(staged, before.uid, before.gid);
    }
    for (const end of ['-wal', '-shm', '-journal']) rmSync(db + end, { force: true });
    rename(staged, db);
    flush('folder', dirname(db));
  });
}
