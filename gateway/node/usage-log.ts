import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { dayOf } from '../day.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { UsageCounts, type UsageCount, type UsageKind, type UsageRecorder } from '../usage.ts';

/** How often counts are written down: what a `kill -9` can lose. */
const FLUSH_MS = 1000;

/** What is older is removed. */
export const KEPT_DAYS = 400;

/** So many kinds wait at most, where nothing can be written. */
const WAITING = 20_000;

/** How many times it may be in another's hands before that is worth a word. */
const PATIENCE = 30;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS usage (
    day      INTEGER NOT NULL, -- UTC, since 1970
    account  TEXT NOT NULL,    -- '': without a key
    key      TEXT NOT NULL,    -- a prefix
    endpoint TEXT NOT NULL,
    status   INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (day, account, key, endpoint, status)
  ) STRICT, WITHOUT ROWID`;

/** Where usage is written down, in an output folder. */
export function usagePath(out: string): string {
  return join(out, 'state', 'usage.db');
}

/**
 * Usage on one machine: counted in memory, and added to a small database of its own once a second. Other
 * processes may read it meanwhile. No request waits for it, and none fails with it.
 */
export class UsageLog implements UsageRecorder {
  readonly #path: string;
  readonly #now: () => number;
  readonly #failed: (error: unknown) => void;
  readonly #counts = new UsageCounts();
  readonly #timer: NodeJS.Timeout;
  #db: Database.Database | undefined;
  #cleanedOn = 0;
  #failures = 0;

  /**
   * @param path of the database; made when there is something to write
   * @param now milliseconds since 1970
   * @param failed is told once when writing begins to fail; it is tried again each second
   */
  constructor(path: string, now: () => number, failed: (error: unknown) => void) {
    this.#path = path;
    this.#now = now;
    this.#failed = failed;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(kind: UsageKind): void {
    if (this.#counts.size < WAITING) this.#counts.add(this.#today(), kind);
  }

  /** Writes down what was counted so far. */
  flush(): void {
    if (this.#counts.size === 0) return;
    const counts = this.#counts.take();
    try {
      this.#db ??= this.#open();
      this.#write(this.#db, counts);
      this.#failures = 0;
    } catch (error) {
      for (const count of counts) this.#counts.add(count.day, count, count.requests);
      this.#failures += 1;
      if (this.#failures === (isBusy(error) ? PATIENCE : 1)) this.#failed(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.flush();
    this.#db?.close();
  }

  #today(): number {
    return dayOf(this.#now());
  }

  #open(): Database.Database {
    ensurePrivateFolder(dirname(this.#path));
    ensurePrivateFile(this.#path);
    // Whoever holds it lets go within a moment; a request must not wait longer than that.
    const db = new Database(this.#path, { timeout: 50 });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      db.exec(SCHEMA);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #write(db: Database.Database, counts: readonly UsageCount[]): void {
    const add = db.prepare(`
      INSERT INTO usage (day, account, key, endpoint, status, requests)
      VALUES (@day, @account, @key, @endpoint, @status, @requests)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`);
    const today = this.#today();
    db.transaction(() => {
      for (const count of counts) add.run(count);
      if (today > this.#cleanedOn) db.prepare('DELETE FROM usage WHERE day <= ?').run(today - KEPT_DAYS);
    }).immediate();
    this.#cleanedOn = today;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * Reads what was written down, also while a gateway writes.
 *
 * @param first the first day, UTC, since 1970
 * @returns nothing where no gateway has counted yet
 * @throws Error of SQLite, where the file is none of a usage log
 */
export function readUsage(path: string, first: number): UsageCount[] {
  if (!existsSync(path)) return [];
  const db = new Database(path, { readonly: true, timeout: 5000 });
  try {
    return db
      .prepare<[number], UsageCount>(
        `SELECT day, account, key, endpoint, status, requests FROM usage WHERE day >= ?
         ORDER BY day, account, key, endpoint, status`,
      )
      .all(first);
  } finally {
    db.close();
  }
}
