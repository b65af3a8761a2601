import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import {
  DatabaseCorrupt,
  DatabaseForeign,
  DatabaseLocked,
  DatabaseMissing,
  DatabaseServer,
  DatabaseUnreadable,
} from './errors.ts';

/** An open blog database. */
export type BlogDatabase = Database.Database;

/** `application_id` and `user_version` of schema.sql. */
const APPLICATION_ID = 1330004080;
const SCHEMA_VERSION = 1;

/** How long a statement waits for another process's lock before it gives up. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Opens the blog database at `path` for writing, in WAL mode, and creates it from schema.sql where
 * there is none.
 *
 * @throws DatabaseForeign, DatabaseCorrupt, DatabaseLocked
 */
export function openForWriting(path: string): BlogDatabase {
  refuseServer(path);
  mkdirSync(dirname(path), { recursive: true });
  return open(path, false, (db) => {
    // A database of somebody else's is not to be changed, not even in how it keeps its journal.
    if (!isEmpty(db) && !isOurs(db)) throw new DatabaseForeign(path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    // In one transaction, and looked at again inside it: two first starts at once make one database.
    db.transaction(() => {
      if (isEmpty(db)) db.exec(readFileSync(fileURLToPath(new URL('schema.sql', import.meta.url)), 'utf8'));
    }).immediate();
  });
}

/**
 * Opens the blog database at `path` for reading alone.
 *
 * @throws DatabaseServer, DatabaseMissing, DatabaseForeign, DatabaseCorrupt, DatabaseLocked
 */
export function openForReading(path: string): BlogDatabase {
  refuseServer(path);
  if (!existsSync(path)) throw new DatabaseMissing(path);
  return open(path, true, () => undefined);
}

/**
 * Opens a database of somebody else's for reading alone.
 *
 * @throws DatabaseServer, DatabaseMissing, DatabaseCorrupt, DatabaseUnreadable, DatabaseLocked
 */
export function openForeign(path: string): BlogDatabase {
  refuseServer(path);
  if (!existsSync(path)) throw new DatabaseMissing(path);
  return readingDatabase(path, () => {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_TIMEOUT_MS });
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get(); // The file is not looked at before.
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/**
 * Runs `work`, and turns what SQLite says of a locked or broken file into this project's errors.
 *
 * @throws DatabaseCorrupt, DatabaseLocked, and whatever else `work` throws
 */
export function readingDatabase<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDatabaseError(path, error);
  }
}

function open(path: string, readonly: boolean, prepare: (db: BlogDatabase) => void): BlogDatabase {
  let db: BlogDatabase | undefined;
  try {
    db = new Database(path, { readonly, timeout: LOCK_TIMEOUT_MS });
    prepare(db);
    if (!isOurs(db)) throw new DatabaseForeign(path);
    return db;
  } catch (error) {
    db?.close();
    throw asDatabaseError(path, error);
  }
}

function isOurs(db: BlogDatabase): boolean {
  return (
    db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
    db.pragma('user_version', { simple: true }) === SCHEMA_VERSION &&
    TABLES.every((table) => hasTable(db, table))
  );
}

/** What schema.sql makes, and the rest of the program relies on. */
const TABLES = [
  'revision',
  'site',
  'authors',
  'categories',
  'tags',
  'posts',
  'post_tags',
  'accounts',
  'api_keys',
];

function hasTable(db: BlogDatabase, table: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;
}

function isEmpty(db: BlogDatabase): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function asDatabaseError(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return new DatabaseLocked(path, LOCK_TIMEOUT_MS / 1000);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return new DatabaseCorrupt(path, error.message);
  if (/^SQLITE_(CANTOPEN|IOERR|PERM|READONLY|FULL)/.test(error.code))
    return new DatabaseUnreadable(path, error.message);
  return error;
}

function refuseServer(path: string): void {
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(path)?.[1];
  if (scheme !== undefined) throw new DatabaseServer(scheme);
}
