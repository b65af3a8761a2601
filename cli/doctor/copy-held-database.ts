import { closeSync, copyFileSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';

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
 * @throws Error with the reason, and errors of the file system
 */
export function copyHeldDatabase(path: string, target: string): void {
  const log = `${path}-wal`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = headerOf(log);
    copyFileSync(path, target);
    if (existsSync(log)) copyFileSync(log, `${target}-wal`);
    if (before.equals(headerOf(log))) return mergeWal(target);
  }
  throw new Error('it changes too fast to be copied');
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
function mergeWal(target: string): void {
  const db = new Database(target);
  try {
    db.pragma('journal_mode = DELETE');
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Error('it is damaged');
  } finally {
    db.close();
  }
}
