import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';

/** Posts of a running blog, kept until their import is done: an interrupted import continues from there. */
export interface KeptPosts {
  /** The post in this version; undefined if it was not kept. */
  readonly get: (id: string, version: string) => string | undefined;
  readonly put: (id: string, version: string, post: string) => void;
  readonly close: () => void;
}

/** Older ones are read again. */
const KEPT_MS = 86_400_000;

/** Called when the import is done. */
export function forgetKept(folder: string | undefined): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** @param folder undefined: kept only for this process */
export function openKept(folder: string | undefined, now: Date): KeptPosts {
  const db = folder === undefined ? withTable(new Database('')) : openIn(folder);
  db.prepare('DELETE FROM posts WHERE read_at < ?').run(now.getTime() - KEPT_MS);
  const select = db
    .prepare<[string, string], string>('SELECT post FROM posts WHERE id = ? AND version = ?')
    .pluck();
  const insert = db.prepare('INSERT OR REPLACE INTO posts VALUES (?, ?, ?, ?)');
  return {
    get: (id, version) => select.get(id, version),
    put: (id, version, post) => void insert.run(id, version, now.getTime(), post),
    close: () => db.close(),
  };
}

function openIn(folder: string): Database.Database {
  try {
    return withTable(databaseIn(folder));
  } catch (error) {
    // It is only a cache, so a broken one is replaced.
    if (!(error instanceof Database.SqliteError)) throw error;
    forgetKept(folder);
    return withTable(databaseIn(folder));
  }
}

function databaseIn(folder: string): Database.Database {
  ensurePrivateFolder(folder);
  const path = join(folder, 'posts.db');
  ensurePrivateFile(path);
  return new Database(path);
}

function withTable(db: Database.Database): Database.Database {
  return db.exec(`
    CREATE TABLE IF NOT EXISTS posts (
      id TEXT PRIMARY KEY, version TEXT NOT NULL, read_at INTEGER NOT NULL, post TEXT NOT NULL
    ) STRICT
  `);
}
