import type Database from 'better-sqlite3';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** `user_version` after this step. */
  readonly version: number;
  apply(db: Database.Database): void;
}

/** The first version of the schema that is read. */
export const BASE_VERSION = 7;

/** The last commit that migrates databases of earlier versions. */
export const LAST_MIGRATING_COMMIT = 'fb9aae9f';

/**
 * The steps from the base to the current schema, in order. schema.sql has the full schema for new files: SQLite adds a
 * column at the end of its table, so it is the last one there too.
 */
const MIGRATIONS: readonly Migration[] = [];

/** `user_version` of schema.sql. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? BASE_VERSION;

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
