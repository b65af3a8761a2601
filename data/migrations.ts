import { readdirSync, readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { programFile } from '../common/program-files.ts';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** `user_version` after this step. */
  readonly version: number;
  apply(db: Database.Database): void;
}

const FOLDER = programFile('data/migrations/');

/**
 * The steps to the current schema, in order: `migrations/0002-….sql` migrates version 1 to 2. schema.sql has the full
 * schema for new files; a test compares the two.
 */
export const MIGRATIONS: readonly Migration[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({
    version: Number.parseInt(file, 10),
    apply: (db) => void db.exec(readFileSync(FOLDER + file, 'utf8')),
  }));

/** Version of a database's schema. */
export function schemaVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Applies the missing steps in one transaction: all or none. The version is read inside the transaction, so several
 * processes may call this concurrently.
 *
 * @throws SqliteError if the database is locked or read-only
 */
export function migrate(db: Database.Database, steps: readonly Migration[] = MIGRATIONS): void {
  db.transaction(() => {
    for (const { version, apply } of steps) {
      if (version <= schemaVersion(db)) continue;
      apply(db);
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}
