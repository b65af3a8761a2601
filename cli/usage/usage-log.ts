import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../../common/thrown.ts';
import { rewriteDeleted } from '../../common/output-files.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { dayOf } from '../../contract/day.ts';
import type { UsageKind, UsageRecorder } from '../../gateway/usage.ts';

/** Write interval of counts: the maximum loss by `kill -9`. */
const FLUSH_MS = 1000;

/** Retention; older counts are removed. */
export const KEPT_DAYS = 400;

/** Maximum number of kinds in memory while writes fail. */
const MAX_PENDING_KINDS = 20_000;

/** Attempts with a locked database before it is reported. */
const MAX_BUSY = 30;

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

const ADD = `
  INSERT INTO usage (day, account, key, endpoint, status, requests)
  VALUES (@day, @account, @key, @endpoint, @status, @requests)
  ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`;

/** How many requests of one kind there were on one day. */
export interface UsageCount extends UsageKind {
  /** UTC days since 1970. */
  readonly day: number;
  readonly requests: number;
}

/** The usage database in an output folder. */
export function usagePath(out: string): string {
  return join(out, 'state', 'usage.db');
}

export interface UsageEvents {
  /** Writes have started to fail; they are retried each second. */
  failed(error: unknown): void;
  /** A write succeeded after that. */
  recovered(): void;
}

/**
 * Usage on one machine: counted in memory, and added to a small separate database once a second, which other processes
 * can read. Requests neither wait for it nor fail with it.
 */
export class UsageLog implements UsageRecorder {
  readonly #path: string;
  readonly #now: () => number;
  readonly #events: UsageEvents;
  readonly #timer: NodeJS.Timeout;
  /** Unwritten counts: one entry per kind and day. */
  readonly #counts = new Map<string, UsageKind & { readonly day: number; requests: number }>();
  #db: Database.Database | undefined;
  #cleanedOn = 0;
  #failures = 0;
  #isFailing = false;

  /**
   * @param path of the database; created by the first write
   * @param now milliseconds since 1970
   */
  constructor(path: string, now: () => number, events: UsageEvents) {
    this.#path = path;
    this.#now = now;
    this.#events = events;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(kind: UsageKind): void {
    const day = dayOf(this.#now());
    // Last, since an account's name may contain any character.
    const id = `${day} ${kind.endpoint} ${kind.status} ${kind.key} ${kind.account}`;
    const count = this.#counts.get(id);
    if (count) count.requests += 1;
    else if (this.#counts.size < MAX_PENDING_KINDS) this.#counts.set(id, { ...kind, day, requests: 1 });
  }

  /** Writes the counts; on failure, keeps them in memory. */
  flush(): void {
    if (this.#counts.size === 0) return;
    try {
      if (this.#db && !existsSync(this.#path)) {
        rewriteDeleted(this.#path, this.#db);
        this.#db = undefined;
      }
      this.#db ??= openDatabase(this.#path);
      this.#write(this.#db);
      this.#counts.clear();
      this.#failures = 0;
      if (this.#isFailing) this.#events.recovered();
      this.#isFailing = false;
    } catch (error) {
      this.#failures += 1;
      const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
      if (this.#isFailing || (isBusy && this.#failures < MAX_BUSY)) return;
      this.#isFailing = true;
      this.#events.failed(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.flush();
    this.#db?.close();
  }

  #write(db: Database.Database): void {
    const add = db.prepare(ADD);
    const today = dayOf(this.#now());
    db.transaction(() => {
      for (const count of this.#counts.values()) add.run(count);
      if (today > this.#cleanedOn) db.prepare('DELETE FROM usage WHERE day <= ?').run(today - KEPT_DAYS);
    }).immediate();
    this.#cleanedOn = today;
  }
}

function openDatabase(path: string): Database.Database {
  ensurePrivateFolder(dirname(path));
  ensurePrivateFile(path);
  // Readers lock it only briefly, and requests must not wait longer.
  const db = new Database(path, { timeout: 50 });
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

/**
 * Reads the usage of a gateway on this machine, also while it writes.
 *
 * @param first the first day, UTC, since 1970
 * @returns empty if no gateway has counted yet
 * @throws Error of SQLite if the file is not a usage log
 */
export function readUsage(path: string, first: number): UsageCount[] {
  if (!existsSync(path)) return [];
  const db = new Database(path, { readonly: true, timeout: 5000 });
  try {
    // The disk was full before the first count could be written.
    if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return [];
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
