import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../../common/thrown.ts';
import { rewriteDeleted } from '../../common/output-files.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { dayNumber } from '../../contract/day.ts';
import { andThen, type MaybePromise, tryCatch } from '../../gateway/maybe-promise.ts';
import type { UsageKind, UsageRecorder } from '../../gateway/usage.ts';

/** Write interval of counts: the maximum loss by `kill -9`. */
const FLUSH_MS = 1000;

/** Retention; older counts are removed. */
export const KEPT_DAYS = 400;

/** Maximum number of kinds in memory while writes fail. */
const MAX_PENDING_KINDS = 20_000;

/** Attempts with a locked database before it is reported. */
const MAX_BUSY = 30;

const USAGE_SCHEMA = `
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
  ON CONFLICT (day, account, key, endpoint, status) DO UPDATE SET requests = requests + excluded.requests`;

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

interface UsageEvents {
  /** Writes have started to fail; they are retried each second. */
  onFailure(error: unknown): void;
  /** A write succeeded after that. */
  onRecovery(): void;
}

/** Where usage is added up. */
export interface UsageStore {
  /** Adds usage, and removes that of days before `first`. */
  add(counts: readonly UsageCount[], first: number): MaybePromise<void>;
  close(): void;
}

/**
 * Usage of this process: counted in memory, and added to a store once a second. Requests neither wait for it nor fail with
 * it.
 */
export class UsageLog implements UsageRecorder {
  readonly #store: UsageStore;
  readonly #now: () => number;
  readonly #events: UsageEvents;
  readonly #timer: NodeJS.Timeout;
  /** Unwritten counts by key: one for each kind and day. */
  readonly #counts = new Map<string, (UsageCount & { requests: number })[]>();
  #kinds = 0;
  #writing: Promise<void> | undefined;
  #failures = 0;
  #isFailing = false;

  /** @param now milliseconds since 1970 */
  constructor(store: UsageStore, now: () => number, events: UsageEvents) {
    this.#store = store;
    this.#now = now;
    this.#events = events;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  record(kind: UsageKind): void {
    this.#add(kind, dayNumber(this.#now()), 1);
  }

  #add({ account, key, endpoint, status }: UsageKind, day: number, requests: number): void {
    const counts = this.#counts.get(key);
    for (const one of counts ?? []) {
      if (one.endpoint !== endpoint || one.status !== status || one.day !== day || one.account !== account)
        continue;
      one.requests += requests;
      return;
    }
    if (this.#kinds >= MAX_PENDING_KINDS) return;
    this.#kinds += 1;
    const count = { account, key, endpoint, status, day, requests };
    if (counts) counts.push(count);
    else this.#counts.set(key, [count]);
  }

  /** Writes the counts; on failure, keeps them in memory. Synchronous if the store is. */
  flush(): void {
    if (this.#kinds === 0 || this.#writing) return;
    const counts = [...this.#counts.values()].flat();
    this.#counts.clear();
    this.#kinds = 0;
    const first = dayNumber(this.#now()) - KEPT_DAYS + 1;
    const written = tryCatch(
      () => andThen(this.#store.add(counts, first), () => this.#succeeded()),
      (error) => this.#failed(counts, error),
    );
    if (written instanceof Promise) this.#writing = written.finally(() => (this.#writing = undefined));
  }

  close(): MaybePromise<void> {
    clearInterval(this.#timer);
    return andThen(this.#writing, () => {
      this.flush();
      return andThen(this.#writing, () => this.#store.close());
    });
  }

  #succeeded(): void {
    this.#failures = 0;
    if (this.#isFailing) this.#events.onRecovery();
    this.#isFailing = false;
  }

  #failed(counts: readonly UsageCount[], error: unknown): void {
    for (const count of counts) this.#add(count, count.day, count.requests);
    this.#failures += 1;
    const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
    if (this.#isFailing || (isBusy && this.#failures < MAX_BUSY)) return;
    this.#isFailing = true;
    this.#events.onFailure(error);
  }
}

/** Usage on one machine: a small separate database, which other processes can read. The first write creates it. */
export class UsageDatabase implements UsageStore {
  readonly #path: string;
  #db: Database.Database | undefined;
  #cleanedTo = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add(counts: readonly UsageCount[], first: number): void {
    if (this.#db && !existsSync(this.#path)) {
      rewriteDeleted(this.#path, this.#db);
      this.#db = undefined;
    }
    const db = (this.#db ??= openDatabase(this.#path));
    const add = db.prepare(ADD);
    db.transaction(() => {
      for (const count of counts) add.run(count);
      if (first > this.#cleanedTo) db.prepare('DELETE FROM usage WHERE day < ?').run(first);
    }).immediate();
    this.#cleanedTo = first;
  }

  close(): void {
    this.#db?.close();
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
    db.exec(USAGE_SCHEMA);
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
