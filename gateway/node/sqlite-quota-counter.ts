import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { codeOf, ExplainedError } from '../../common/errors.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import type { Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { dayOf } from '../../contract/day.ts';
import { decimal } from '../decimal.ts';
import { countRequest, newTally, peekRequest, type Tally, type Verdict, withoutLimits } from '../quota.ts';

/** Tallies kept in memory; others are read again when they are needed. */
const KEPT = 50_000;

/** Tallies are deleted that are older than each of the days which the clock showed last, so many of them. */
const DAYS_SHOWN = 3;

const RESERVED_BYTES = 2 ** 21;

/** Of a new database: a count changes one page, and that is what is written. */
const PAGE_BYTES = 1024;

/** So long may the log become before it is written back. That waits for the disk, and so do all who then ask. */
const LOG_BYTES = 2 ** 25;

const SCHEMA = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS tally
    (principal TEXT PRIMARY KEY, day INTEGER NOT NULL, used INTEGER NOT NULL, minute TEXT NOT NULL,
     other_days TEXT NOT NULL DEFAULT '')
    STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS days_shown (id INTEGER PRIMARY KEY CHECK (id = 1), days TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT;
  COMMIT`;

/** Another gateway counts in this folder. Two could not count exactly. */
export class QuotaInUse extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} is in use, most likely by Offprint serving from this folder. Stop that program, or choose another folder with --out.`,
    );
  }
}

/** Counts cannot be kept. Nobody is let through uncounted: requests are refused until they can. */
export class QuotaUnusable extends ExplainedError {
  constructor(path: string, cause: unknown) {
    const code = codeOf(cause) ?? String(cause);
    super(`Counts cannot be kept in ${path} (${code}): ${remedy(code)}`, { cause });
  }
}

function remedy(code: string): string {
  if (/NOTADB|CORRUPT/.test(code))
    return 'it is damaged. Stop the gateway, delete it and all files next to it whose names begin the same, and start again; counts start from zero.';
  if (/READONLY|CANTOPEN|EACCES|EPERM|EROFS|PERM/.test(code))
    return 'it cannot be written. Give the user that Offprint runs as write access to its folder.';
  if (/FULL|ENOSPC/.test(code)) return 'the disk is full. Free some space; nothing else is needed.';
  if (code === 'ENOENT') return 'it was removed. Restart the gateway; counts start from zero.';
  return 'check its disk, then restart the gateway.';
}

/**
 * Counts in memory, and keeps the counts in SQLite by group commit: all requests of one turn of the event
 * loop are one transaction, and no answer leaves before its count is in the write-ahead log. So a
 * `kill -9` forgets nothing, and the cost of the disk is shared.
 *
 * One process counts, and holds the database alone; within it there is one thread. So the requests of a
 * principal come one after another, and the count is exact.
 */
export class SqliteQuotaCounter implements QuotaCounter {
  readonly #path: string;
  readonly #db: Database.Database;
  readonly #now: () => number;
  readonly #read;
  readonly #write;
  readonly #transaction: Database.Transaction<() => void>;
  /** The key of hashed addresses: made once, kept in the database. From bytes each hash would take 25 µs, not 4. */
  readonly #secret: KeyObject;
  readonly #tallies = new LRUCache<string, Tally>({ max: KEPT });
  /** Counted, but not yet in the database. Held here, so that no tally is read back too old. */
  readonly #unsaved = new Map<string, Tally>();
  #waiting: ((error: unknown) => void)[] = [];
  #commitDue = false;
  /** Tallies that were written since the start. */
  saved = 0;
  /** The days that the clock showed last, in their order. */
  #daysShown: readonly number[];

  /**
   * @param path of the database; made where there is none
   * @param now milliseconds since 1970
   * @throws QuotaInUse, QuotaUnusable
   */
  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
    const db = (this.#db = openDatabase(path));
    this.#read = db.prepare<[string], Row>(
      'SELECT day, used, minute, other_days FROM tally WHERE principal = ?',
    );
    this.#write = db.prepare<[string, number, number, string, string]>(
      'INSERT OR REPLACE INTO tally (principal, day, used, minute, other_days) VALUES (?, ?, ?, ?, ?)',
    );
    this.#transaction = db.transaction(() => this.#writeUnsaved());
    const shown = db.prepare<[], string>('SELECT days FROM days_shown').pluck().get() ?? '';
    this.#daysShown = shown.split(' ').filter(Boolean).map(Number);
    db.prepare('INSERT OR IGNORE INTO secret VALUES (1, ?)').run(randomBytes(32));
    const secret = db.prepare<[], Buffer>('SELECT bytes FROM secret').pluck().get();
    this.#secret = createSecretKey(secret ?? Buffer.alloc(0));
    reserveRoom(db);
  }

  count(principal: Principal, limits: Limits): Verdict {
    const free = withoutLimits(principal, limits, this.#now());
    if (free) return free;
    const tally = this.#tallyOf(principal.id);
    const verdict = countRequest(tally, principal, limits, this.#now());
    if (verdict.refusedBy === null) {
      this.#unsaved.set(principal.id, tally);
      this.#commitSoon();
    }
    return verdict;
  }

  /** @throws QuotaUnusable, also where the file was removed: what is counted now would be gone at the next start */
  peek(principal: Principal, limits: Limits): Verdict {
    const free = withoutLimits(principal, limits, this.#now());
    if (free) return free;
    if (!existsSync(this.#path)) throw new QuotaUnusable(this.#path, 'ENOENT');
    return peekRequest(this.#tallyOf(principal.id), principal, limits, this.#now());
  }

  /**
   * Calls back when every request counted so far is safe; at once where all are. With an error, what was
   * counted is not safe: such a request must not be answered as if it were.
   */
  whenSaved(callback: (error: unknown) => void): void {
    if (this.#unsaved.size === 0) return callback(undefined);
    this.#waiting.push(callback);
    this.#commitSoon();
  }

  /** The id of an address: a keyed hash, so that addresses themselves are nowhere kept. */
  addressId(address: string): string {
    const hash = createHmac('sha256', this.#secret).update(address).digest('base64url');
    return `address:${hash.slice(0, 22)}`;
  }

  close(): void {
    this.#commit();
    this.#db.close();
  }

  #tallyOf(id: string): Tally {
    let tally = this.#tallies.get(id) ?? this.#unsaved.get(id);
    if (!tally) {
      try {
        const row = this.#read.get(id);
        tally = row ? tallyOf(row) : newTally();
      } catch (error) {
        throw new QuotaUnusable(this.#path, error);
      }
      this.#tallies.set(id, tally);
    }
    return tally;
  }

  #commitSoon(): void {
    if (this.#commitDue) return;
    this.#commitDue = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    this.#commitDue = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    let failure = this.#save();
    if (failure !== undefined && this.#emptyLog()) failure = this.#save();
    for (const callback of waiting) callback(failure);
  }

  /** @returns why it could not be done, if so; all is as before then */
  #save(): unknown {
    try {
      this.#transaction.immediate();
      this.saved += this.#unsaved.size;
      this.#unsaved.clear();
      return undefined;
    } catch (error) {
      return new QuotaUnusable(this.#path, error);
    }
  }

  #writeUnsaved(): void {
    for (const [id, tally] of this.#unsaved) {
      const [latest = { day: 0, used: 0 }, ...others] = tally.days;
      const otherDays = others.map(({ day, used }) => `${decimal(day)}*${decimal(used)}`).join(' ');
      this.#write.run(id, latest.day, latest.used, formatMinute(tally), otherDays);
    }
    this.#sweep();
  }

  /** Writes the log back, so that it starts again in the space it has: on a full disk it cannot grow. */
  #emptyLog(): boolean {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Deletes tallies that say nothing any more, whenever the clock shows another day than before. Neither a clock that is
   * set forward nor a restart must make today's counts old (decision 9).
   */
  #sweep(): void {
    const today = dayOf(this.#now());
    if (today === this.#daysShown.at(-1)) return;
    const shown = [...this.#daysShown, today].slice(-DAYS_SHOWN);
    this.#db.prepare('INSERT OR REPLACE INTO days_shown VALUES (1, ?)').run(shown.join(' '));
    if (shown.length === DAYS_SHOWN) {
      this.#db.prepare('DELETE FROM tally WHERE day < ?').run(Math.min(...shown));
    }
    this.#daysShown = shown;
  }
}

/** @throws QuotaInUse, QuotaUnusable */
function openDatabase(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    ensurePrivateFolder(dirname(path));
    // SQLite would open what it can only read, and fail later with less to say.
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    ensurePrivateFile(path);
    db = new Database(path, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${LOG_BYTES / Number(db.pragma('page_size', { simple: true }))}`);
    db.exec(SCHEMA);
    const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('tally')").pluck().all();
    // A database of version 0.1.0.
    if (!columns.includes('other_days')) db.exec("ALTER TABLE tally ADD other_days TEXT NOT NULL DEFAULT ''");
    // A few milliseconds for some megabytes, once. What is damaged later is found where it is read.
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Database.SqliteError('damaged', 'SQLITE_CORRUPT');
    return db;
  } catch (error) {
    db?.close();
    throw codeOf(error)?.startsWith('SQLITE_BUSY') ? new QuotaInUse(path) : new QuotaUnusable(path, error);
  }
}

/**
 * Makes the database and its log larger than they need be, once at each start: both keep the room, and
 * counting goes on for thousands of new callers when the disk has filled up.
 */
function reserveRoom(db: Database.Database): void {
  try {
    db.exec(`DROP TABLE IF EXISTS room; CREATE TABLE room (bytes BLOB);
      INSERT INTO room VALUES (zeroblob(${RESERVED_BYTES})); DROP TABLE room`);
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error; // A full disk: then there is none to reserve.
  }
}

/** A tally: its latest day, the log of its last minute, and its other days as `day*used`. */
interface Row {
  readonly day: number;
  readonly used: number;
  readonly minute: string;
  readonly other_days: string;
}

function tallyOf({ day, used, minute, other_days: others }: Row): Tally {
  let time = 0;
  const log = pairsOf(minute);
  return {
    days: [{ day, used }, ...pairsOf(others).map(([other = 0, count = 0]) => ({ day: other, used: count }))],
    times: log.map(([step = 0]) => (time += step)),
    counts: log.map(([, count = 1]) => count),
  };
}

function pairsOf(text: string): number[][] {
  return text === '' ? [] : text.split(' ').map((pair) => pair.split('*').map(Number));
}

/** The log of the last minute: `time*count`, times as milliseconds since the one before; a count of 1 is left out. */
function formatMinute({ times, counts }: Tally): string {
  return times
    .map((time, i) => {
      const step = decimal(time - (times[i - 1] ?? 0));
      return counts[i] === 1 ? step : `${step}*${decimal(counts[i] ?? 0)}`;
    })
    .join(' ');
}
