import { closeSync, copyFileSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openForeign, readingDatabase } from '../../data/database.ts';
import { BackupFailed } from './errors.ts';

/**
 * Copies a database as it is at one moment, while others write to it.
 *
 * @param target must not exist
 * @throws DatabaseMissing, DatabaseCorrupt, DatabaseLocked, DatabaseUnreadable
 */
export function copyDatabase(path: string, target: string): void {
  const db = openForeign(path);
  try {
    readingDatabase(path, () => db.prepare('VACUUM INTO ?').run(target));
  } finally {
    db.close();
  }
}

/** While a log is copied, it seldom begins again: one attempt is enough nearly always. */
const ATTEMPTS = 100;

/**
 * Copies a database that a process holds for itself, so that SQLite can open it for nobody else, as it is at one moment.
 *
 * What was committed is in the file or in its log, and a page that a checkpoint is writing to the file is still in the
 * log, until the log begins again with other salts (https://sqlite.org/fileformat2.html#walformat). So file and log
 * belong together if the log has the same salts before and after. A commit that is being written fails its checksum in
 * the copy, and is not part of it.
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
    if (before.equals(headerOf(log))) return foldLog(path, target);
  }
  throw new BackupFailed(path, 'it changes too fast to be copied. Try again');
}

const HEADER_BYTES = 32;

/** Empty: there is no log. */
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

/** Brings the log into the copy, which is one file then. */
function foldLog(path: string, target: string): void {
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
