import { closeSync, copyFileSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isDiskFull } from '../../common/disk-space.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { DatabaseFull } from '../../data/errors.ts';
import { openForeign, readingDatabase } from '../../data/database.ts';
import { BackupFailed } from './errors.ts';

/**
 * Copies a consistent state of a database while other processes write to it.
 *
 * @param target must not exist
 * @throws DatabaseMissing, DatabaseCorrupt, DatabaseLocked, DatabaseUnreadable, OutputUnwritable
 */
export function copyDatabase(path: string, target: string): void {
  const db = openForeign(path);
  try {
    readingDatabase(path, () => db.prepare('VACUUM INTO ?').run(target));
  } catch (error) {
    // SQLite does not say which of the two it is about.
    throw error instanceof DatabaseFull || isDiskFull(target)
      ? new OutputUnwritable(target, 'ENOSPC')
      : error;
  } finally {
    db.close();
  }
}

/** The WAL rarely restarts during a copy, so one is almost always enough. */
const ATTEMPTS = 100;

/**
 * Copies a consistent state of a database that another process has locked, so that SQLite cannot open it.
 *
 * Committed pages are in the file or in its WAL. Pages that a checkpoint writes to the file stay in the WAL until it
 * restarts with other salts (https://sqlite.org/fileformat2.html#walformat). So the copies of file and WAL match if the
 * salts are the same before and after. An unfinished commit fails its checksum in the copy, and is dropped.
 *
 * @param target must not exist
 * @throws BackupFailed, and errors of the file system
 */
export function copyHeldDatabase(path: string, target: string): void {
  const log = `${path}-wal`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = headerOf(log);
    copyFileSync(path, target);
    if (existsSync(log)) copyFileSync(log, `${target}-wal`);
    if (before.equals(headerOf(log))) return mergeWal(path, target);
  }
  throw new BackupFailed(path, 'it changes too fast to be copied. Try again');
}

const HEADER_BYTES = 32;

/** Empty: no WAL. */
function headerOf(log: string): Buffer {
  if (!existsSync(log)) return Buffer.alloc(0);
  const file = openSync(log, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
}

/** Merges the WAL into the copy, which is then one file. */
function mergeWal(path: string, target: string): void {
  const db = new Database(target);
  try {
    db.pragma('journal_mode = DELETE');
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new BackupFailed(path, 'it is damaged');
  } catch (error) {
    throw error instanceof Database.SqliteError ? new BackupFailed(path, error.message) : error;
  } finally {
    db.close();
  }
}
