import { accessSync, constants, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type BlogDatabase, checkOurs, readingDatabase } from '../../data/database.ts';

/**
 * Opens one of Offprint's databases for `work`, without changes on disk: no migration, and no new WAL file left behind.
 * (SQLite creates a WAL for a reader, and removes it only when the last connection with write access closes.)
 *
 * @throws DatabaseForeign, DatabaseNewer, DatabaseOlder, DatabaseCorrupt, DatabaseLocked, DatabaseUnreadable, and errors of `work`
 */
export function examining<T>(path: string, work: (db: BlogDatabase) => T): T {
  const db = openUnchanged(path);
  try {
    return readingDatabase(path, () => work(db));
  } finally {
    db.close();
  }
}

function openUnchanged(path: string): BlogDatabase {
  return readingDatabase(path, () => {
    const readonly = existsSync(`${path}-wal`) || !isWritable(path);
    const db = new Database(path, { readonly, fileMustExist: true });
    try {
      db.pragma('query_only = ON');
      checkOurs(db, path);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
