import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import {
  DatabaseCorrupt,
  DatabaseError,
  DatabaseForeign,
  DatabaseFull,
  DatabaseLocked,
  DatabaseMissing,
  DatabaseUnreadable,
} from './errors.ts';
import { isDiskFull } from '../common/disk-space.ts';
import { refuseUnreadable } from '../common/errors.ts';
import { denial } from '../common/permissions.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../common/private-files.ts';
import { messageOf } from '../common/thrown.ts';
import { programFile } from '../common/program-files.ts';
import { BASE_VERSION, LAST_MIGRATING_COMMIT, migrate, SCHEMA_VERSION, schemaVersion } from './migrations.ts';

/** An open blog database. */
export type BlogDatabase = Database.Database;

/** `application_id` of schema.sql. */
const APPLICATION_ID = 1330004080;

/** How long a statement waits for another process's lock. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Opens the blog database at `path` for writing, in WAL mode. A missing one is created from schema.sql; an earlier
 * version is migrated.
 *
 * @throws DatabaseForeign, DatabaseError, DatabaseCorrupt, DatabaseLocked
 */
export function openForWriting(path: string): BlogDatabase {
  refuseServer(path);
  // SQLite's name for a database without a file.
  if (path !== ':memory:' && !existsSync(path)) makePrivate(path);
  return open(path, false, (db) => {
    // Another program's database must not change, not even its journal mode.
    if (!isNewFile(db)) checkOurs(db, path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    // In one transaction, with a second check inside it: two concurrent first starts create one database.
    db.transaction(() => {
      if (isNewFile(db)) db.exec(blogSchema());
    }).immediate();
    if (schemaVersion(db) < SCHEMA_VERSION) migrate(db);
  });
}

/** The SQL that makes the current schema in an empty database. */
export function blogSchema(): string {
  return readFileSync(programFile('data/schema.sql'), 'utf8');
}

/** @throws DatabaseUnreadable */
function makePrivate(path: string): void {
  try {
    if (!existsSync(dirname(path))) ensurePrivateFolder(dirname(path));
    ensurePrivateFile(path);
  } catch (error) {
    throw new DatabaseUnreadable(path, messageOf(error));
  }
}

/** Refuses a path without a file. @throws DatabaseMissing, PermissionDenied if this user cannot know */
export function requireDatabase(path: string): void {
  if (existsSync(path)) return;
  refuseUnreadable(path);
  throw new DatabaseMissing(path);
}

/**
 * Opens the blog database at `path` read-only. An earlier version is migrated first.
 *
 * @throws DatabaseMissing, DatabaseForeign, DatabaseError, DatabaseCorrupt, DatabaseLocked;
 *   DatabaseUnreadable, if it must be migrated and this user may not write to it
 */
export function openForReading(path: string): BlogDatabase {
  refuseServer(path);
  requireDatabase(path);
  const db = open(path, true, () => undefined);
  if (schemaVersion(db) === SCHEMA_VERSION) return db;
  db.close();
  open(path, false, (outdated) => migrate(outdated)).close();
  return open(path, true, () => undefined);
}

/** The row or value of `INSERT … RETURNING`, which always gives one. */
export function inserted<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('INSERT … RETURNING gave no row');
  return row;
}

/** Refuses a database that this user may only read. @throws DatabaseUnreadable */
export function refuseReadOnly(path: string): void {
  if (path !== ':memory:' && denial(path, 'write') !== null) throw new DatabaseUnreadable(path, 'read only');
}

/** Opens the database for reading during `work`. @throws as openForReading, and what `work` throws */
export function readingFrom<T>(path: string, work: (db: BlogDatabase) => T): T {
  return closing(openForReading(path), work);
}

/** Opens the database for writing during `work`. @throws as openForWriting, and what `work` throws */
export function writingTo<T>(path: string, work: (db: BlogDatabase) => T): T {
  // A database that may only be read is opened too: the first statement that writes says so.
  return readingDatabase(path, () => closing(openForWriting(path), work));
}

/** The same for work that takes a while. */
export async function writingUntil<T>(path: string, work: (db: BlogDatabase) => Promise<T>): Promise<T> {
  const db = openForWriting(path);
  const working = work(db).finally(() => db.close());
  return working.catch((error: unknown) => {
    throw asDatabaseError(path, error);
  });
}

function closing<T>(db: BlogDatabase, work: (db: BlogDatabase) => T): T {
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Checks that no other process is writing to a database, even a damaged one. @throws DatabaseLocked */
export function refuseLocked(path: string): void {
  let db: BlogDatabase | undefined;
  try {
    db = new Database(path, { timeout: LOCK_TIMEOUT_MS });
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    const failure = asDatabaseError(path, error);
    if (failure instanceof DatabaseLocked) throw failure;
  } finally {
    db?.close();
  }
}

/** The random id that was created with a database; null: another program deleted it. */
export function blogUid(db: BlogDatabase): string | null {
  return db.prepare<[], string>('SELECT uid FROM blog').pluck().get() ?? null;
}

/**
 * Opens another program's database read-only.
 *
 * @throws DatabaseMissing, DatabaseCorrupt, DatabaseUnreadable, DatabaseLocked
 */
export function openForeign(path: string): BlogDatabase {
  refuseServer(path);
  requireDatabase(path);
  return readingDatabase(path, () => {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_TIMEOUT_MS });
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get(); // Opening alone does not read the file.
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/**
 * Runs `work`, and converts SQLite's errors about a locked, closed or broken file to this project's errors.
 *
 * @throws DatabaseCorrupt, DatabaseLocked, and what `work` throws
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
    checkOurs(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw asDatabaseError(path, error);
  }
}

/**
 * Refuses the database of another program, or of a version that this one cannot read.
 *
 * @throws DatabaseForeign, DatabaseError
 */
export function checkOurs(db: BlogDatabase, path: string): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw new DatabaseForeign(path);
  const version = schemaVersion(db);
  if (version > SCHEMA_VERSION)
    throw new DatabaseError(
      `${path} was created by a newer Offprint (schema ${version}; this version knows up to ${SCHEMA_VERSION}). ` +
        `Upgrade Offprint, or pass another database with --db.`,
    );
  if (version < BASE_VERSION)
    throw new DatabaseError(
      `${path} has schema ${version}, and this version reads schema ${BASE_VERSION} and later. ` +
        `Open or restore it once with Offprint of commit ${LAST_MIGRATING_COMMIT}, which migrates it.`,
    );
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (!TABLES.every((table) => names.includes(table))) throw new DatabaseForeign(path);
}

/** The required tables. */
const TABLES =
  'revision site blog authors categories tags posts post_tags origins post_origins withdrawals accounts api_keys'.split(
    ' ',
  );

function isNewFile(db: BlogDatabase): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function asDatabaseError(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return new DatabaseLocked(path, LOCK_TIMEOUT_MS / 1000);
  // Offprint's own constraints are checked before, so it is most likely one of others.
  if (error.code.startsWith('SQLITE_CONSTRAINT'))
    return new DatabaseError(
      `${path} rejects the change (${error.message}). ` +
        `If another program added a trigger or an index to Offprint's tables, remove it, then try again.`,
    );
  if (error.code === 'SQLITE_NOTADB')
    return new DatabaseError(
      `${path} is not a SQLite database, or its header is damaged. ` +
        `Pass another with --db, or restore it from a backup.`,
    );
  if (/^SQLITE_CORRUPT/.test(error.code)) return new DatabaseCorrupt(path, error.message);
  if (/^SQLITE_READONLY_(?:CANTINIT|RECOVERY|DIRECTORY)$/.test(error.code))
    return new DatabaseError(
      `${path} uses a write-ahead log, so SQLite must create a file next to it, which this user may not. ` +
        `Give this user write access to the folder, or start the program that the database belongs to.`,
    );
  if (error.code === 'SQLITE_FULL' || (/^SQLITE_(CANTOPEN|IOERR)/.test(error.code) && isDiskFull(path)))
    return new DatabaseFull(path);
  if (/^SQLITE_(CANTOPEN|IOERR|PERM|READONLY)/.test(error.code))
    return new DatabaseUnreadable(path, error.message);
  return error;
}

/** Refuses the address of a server, which may contain a password and is not shown. @throws DatabaseError */
export function refuseServer(path: string): void {
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(path)?.[1];
  if (scheme === undefined) return;
  throw new DatabaseError(
    `--db takes a SQLite file, but ${scheme}: is a database server, which Offprint cannot read. ` +
      'Pass a file with --db. A running Ghost or WordPress is imported over its API: see "import --help".',
  );
}
