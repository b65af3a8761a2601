import { chmodSync, chownSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { ExplainedError, OutputUnwritable, refuseUnreadable } from '../../common/errors.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { ensurePrivateFolder } from '../../common/private-files.ts';
import { inlineMessage } from '../../common/thrown.ts';
import { refuseLocked, refuseServer } from '../../data/database.ts';
import { lockCounting } from '../../gateway/node/counting-lock.ts';
import { copyDatabase, placeCopy } from '../backup/copy-database.ts';
import { describeNotIncluded, notIncluded } from '../backup/not-included.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { type CommandFlags, givenOptions, mainCommand } from '../options.ts';
import { namingService } from '../place.ts';
import { printResult } from '../terminal.ts';

interface Options extends CommandFlags {
  readonly db: string;
  readonly force?: boolean;
}

export function restoreCommand(): Command {
  return mainCommand('restore', ['db', 'out', 'config', 'json'], 'restore blog-backup.db')
    .argument('<file>', 'a backup')
    .option('--force', 'replace an existing database')
    .action(run);
}

/** Copies and checks the backup next to its place before it replaces anything. */
async function run(file: string, { force = false, ...options }: Options): Promise<void> {
  const { db, out } = options;
  refuseServer(db);
  refuseUnreadable(file);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw unusable(file, 'there is no such file');
  if (existsSync(db) && !force)
    throw new ExplainedError(
      `${db} exists already. Nothing was changed. Back it up if you may need it, then replace it with --force.`,
    );
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
  const given = givenOptions(options, ['db', 'out', 'config']);
  const next = `Publish it again: ${commandLine(`build${given}`)}, or ${commandLine(`start${given}`)}`;
  printResult(
    options.json,
    { file, db, not_included: notIncluded(options) },
    `${colours.green('restored')} ${file} to ${db}\n${describeNotIncluded(options)}\n${colours.dim(next)}`,
  );
}

/** @param reason without a full stop */
function unusable(file: string, reason: string): ExplainedError {
  return new ExplainedError(`${file} cannot be restored: ${reason}. Nothing was changed.`);
}

/** @throws ExplainedError */
function copyBackup(file: string, staged: string): void {
  try {
    copyDatabase(file, staged);
  } catch (error) {
    if (!(error instanceof ExplainedError) || error instanceof OutputUnwritable) throw error;
    throw unusable(file, inlineMessage(error));
  }
}

/**
 * Runs work while no service serves from the output, and no command writes to the database.
 *
 * @throws QuotaInUse, DatabaseLocked, ExplainedError
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
  });
  placeCopy(staged, db);
}
