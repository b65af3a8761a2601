import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openForWriting, type BlogDatabase } from '../database.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { DatabaseCorrupt, DatabaseForeign, DatabaseNewer, DatabaseNone, DatabaseOlder } from '../errors.ts';

/** The mirror's tables besides schema.sql: the source row of each post, and its hash. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS mirror (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS mirror_hashes (post_id INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mirror_left_out (
    id INTEGER PRIMARY KEY, view TEXT NOT NULL, row TEXT NOT NULL, reason TEXT NOT NULL
  ) STRICT;
`;

/**
 * Opens the mirror during `work`. It is a cache, except for former slugs, so it is deleted and rebuilt if it is broken or
 * has another schema.
 *
 * @param isRebuilt whether to write all its posts again
 */
export function mirroring<T>(path: string, isRebuilt: boolean, work: (mirror: BlogDatabase) => T): T {
  const rebuilding = (mirror: BlogDatabase): T => {
    if (isRebuilt) mirror.exec("UPDATE mirror_hashes SET hash = ''");
    return work(mirror);
  };
  try {
    return opened(path, rebuilding);
  } catch (error) {
    if (!isBroken(path, error)) throw error;
    remove(path);
    return opened(path, rebuilding);
  }
}

function opened<T>(path: string, work: (mirror: BlogDatabase) => T): T {
  const mirror = openForWriting(path);
  try {
    mirror.pragma('secure_delete = ON'); // Deleted content must not stay in free pages.
    mirror.exec(TABLES);
    return work(mirror);
  } finally {
    mirror.close();
  }
}

/** Whether the mirror is broken, and not the database that it mirrors. */
function isBroken(path: string, error: unknown): boolean {
  const kinds = [DatabaseCorrupt, DatabaseForeign, DatabaseNewer, DatabaseNone, DatabaseOlder];
  if (kinds.some((kind) => error instanceof kind))
    return error instanceof Error && error.message.startsWith(path);
  return error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
}

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** The state from `writeState`; null if unknown. */
export function readState(mirror: BlogDatabase): string | null {
  return mirror.prepare<[], string | null>('SELECT state FROM mirror').pluck().get() ?? null;
}

export function writeState(mirror: BlogDatabase, state: string | null): void {
  mirror.prepare('INSERT OR REPLACE INTO mirror VALUES (1, ?)').run(state);
}

export function readLeftOut(mirror: BlogDatabase): SkippedRow[] {
  return mirror
    .prepare<[], SkippedRow>('SELECT view AS "table", row, reason FROM mirror_left_out ORDER BY id')
    .all();
}

/** A change of the skipped rows alone counts as a change, so that a build reports them. */
export function writeLeftOut(mirror: BlogDatabase, leftOut: readonly SkippedRow[]): void {
  if (JSON.stringify(readLeftOut(mirror)) === JSON.stringify(leftOut)) return;
  mirror.exec('DELETE FROM mirror_left_out');
  const insert = mirror.prepare('INSERT INTO mirror_left_out (view, row, reason) VALUES (?, ?, ?)');
  for (const { table, row, reason } of leftOut) insert.run(table, row, reason);
  mirror.exec('UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF)');
}
