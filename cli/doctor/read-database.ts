import { accessSync, constants, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type BlogDatabase, checkOurs, readingDatabase } from '../../data/database.ts';

/**
 * Opens a database of Offprint's own for as long as `work` takes, and leaves no trace: it is not migrated, and no log stays
 * next to it that was not there. (SQLite makes one for a reader, and removes it with the last connection that may write.)
 *
 * @throws DatabaseForeign, DatabaseNewer, DatabaseCorrupt, DatabaseLocked, DatabaseUnreadable, and what `work` throws
 */
export function examining<T>(path: string, work: (db: BlogDatabase) => T): T {
  return readingDatabase(path, () => {
    const readonly = existsSync(`${path}-wal`) || !isWritable(path);
    const db = new Database(path, { readonly, fileMustExist: true });
    try {
      db.pragma('query_only = ON');
      checkOurs(db, path);
      return work(db);
    } finally {
      db.close();
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
