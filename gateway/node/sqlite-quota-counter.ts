import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { addressIdBy } from '../../common/address-id.ts';
import { ExplainedError } from '../../common/errors.ts';
import { codeOf } from '../../common/thrown.ts';
import { denial } from '../../common/permissions.ts';
import { rewriteDeleted } from '../../common/output-files.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import type { Limits } from '../../contract/policy.ts';
import type { Principal } from '../home.ts';
import { dayNumber } from '../../contract/day.ts';
import { countRequest, newTally, type Tally, type Verdict, unlimitedVerdict } from '../quota.ts';
import { formatTally, parseTally, type StoredTally } from '../tally-text.ts';
import type { ServerCounter } from './server-counter.ts';

/** Tallies cached in memory: a refusal takes 0.3 µs instead of 3.1. */
const KEPT = 50_000;

/** Tallies older than all of the last days that the clock showed are deleted; this many days are remembered. */
const DAYS_SHOWN = 3;

const RESERVED_BYTES = 2 ** 21;

/** Of a new database. Small, since each count writes one page. */
const PAGE_BYTES = 1024;

/** The log's size before a checkpoint, which blocks requests while it waits for the disk. */
const LOG_BYTES = 2 ** 25;

/** With row ids: without them, a row of more than 230 bytes has overflow pages, which each count would write too. */
const COUNTS_SCHEMA = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS tally
    (principal TEXT PRIMARY KEY, day INTEGER NOT NULL, used INTEGER NOT NULL, minute TEXT NOT NULL,
     other_days TEXT NOT NULL DEFAULT '')
    STRICT;
  CREATE TABLE IF NOT EXISTS days_shown (id INTEGER PRIMARY KEY CHECK (id = 1), days TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT;
  COMMIT`;

/** Another gateway uses this folder. Two could not count exactly. */
export class QuotaInUse extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} is in use, most likely by Offprint serving from this folder. Stop that program, or choose another folder with --out.`,
    );
  }
}

/** Counts cannot be stored. Requests are refused meanwhile: none is served uncounted. */
export class QuotaUnusable extends ExplainedError {
  constructor(path: string, cause: unknown) {
    const code = codeOf(cause) ?? String(cause);
    super(`Counts cannot be kept in ${path} (${code}): ${remedy(path, code)}`, { cause });
  }
}

function remedy(path: string, code: string): string {
  if (/NOTADB|CORRUPT/.test(code))
    return 'it is damaged. Stop the gateway, delete it with its -wal and -shm files, and start again; counts start from zero.';
  if (/READONLY|CANTOPEN|EACCES|EPERM|EROFS|PERM/.test(code))
    return `${denial(path, 'write') ?? 'it cannot be written. Give the user that Offprint runs as write access to its folder'}.`;
  if (/FULL|ENOSPC/.test(code)) return 'the disk is full. Free some space; nothing else is needed.';
  if (code === 'EEXIST')
    return 'it was replaced while in use. Restart the gateway; it uses the counts of the new file.';
  return 'check its disk, then restart the gateway.';
}

/**
 * Counts in memory and stores counts in SQLite by group commit: the requests of one turn of the event loop share a
 * transaction, and no answer is sent before its count is in the write-ahead log. So `kill -9` loses nothing.
 *
 * One process with one thread holds the database exclusively, so the requests of a principal are sequential and the count
 * is exact.
 */
export class SqliteQuotaCounter implements ServerCounter {
  readonly #path: string;
  readonly #now: () => number;
  #store: Store;
  /** By a key that is stored in the database. */
  readonly addressId: (address: string) => string;
  readonly #tallies = new LRUCache<string, Tally>({ max: KEPT });
  /** Counted but not yet stored. Kept here, so that no outdated tally is read back. */
  readonly #unsaved = new Map<string, Tally>();
  #waiting: ((error: unknown) => void)[] = [];
  #isCommitDue = false;
  /** The last days that the clock showed, in order. */
  #daysShown: readonly number[];

  /**
   * @param path of the database; created if it does not exist
   * @param now milliseconds since 1970
   * @throws QuotaInUse, QuotaUnusable
   */
  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
    this.#store = openStore(path);
    const { db } = this.#store;
    const shown = db.prepare<[], string>('SELECT days FROM days_shown').pluck().get() ?? '';
    this.#daysShown = shown.split(' ').filter(Boolean).map(Number);
    db.prepare('INSERT INTO secret VALUES (1, ?) ON CONFLICT (id) DO NOTHING').run(randomBytes(32));
    const secret = db.prepare<[], Buffer>('SELECT bytes FROM secret').pluck().get();
    if (!secret) throw new QuotaUnusable(path, 'no secret');
    this.addressId = addressIdBy(secret);
  }

  /** @throws QuotaUnusable */
  count(principal: Principal, limits: Limits, isCounted = true): Verdict {
    const now = this.#now();
    const free = unlimitedVerdict(principal, limits, now);
    if (free) return free;
    const tally = this.#loadTally(principal.id);
    const verdict = countRequest(tally, principal, limits, now, isCounted);
    if (isCounted && verdict.refusedBy === null) {
      this.#unsaved.set(principal.id, tally);
      this.#commitSoon();
    }
    return verdict;
  }

  peek(principal: Principal, limits: Limits): Verdict {
    return this.count(principal, limits, false);
  }

  /**
   * Calls back when all counts so far are stored, and all requests of this turn were read: answers that are sent together wake
   * their receivers less often. With an error, counts are not stored, and the request must not be answered normally.
   */
  whenSaved(callback: (error: unknown) => void): void {
    this.#waiting.push(callback);
    this.#commitSoon();
  }

  /** Whether counts can be read, written and found at the next start. */
  isUsable(limits: Limits): Promise<boolean> {
    return new Promise((resolve) => {
      this.peek(NOBODY, limits);
      this.whenSaved((error) => resolve(error === undefined && this.#isOnDisk()));
    });
  }

  /** Whether the open database is the one on the disk; if not, counts would be lost at the next start. */
  #isOnDisk(): boolean {
    return this.#store.db.open && readInode(this.#path) === this.#store.inode;
  }

  /**
   * Writes the database again, with all counts, if it was removed while in use.
   *
   * @returns whether it was removed
   * @throws QuotaInUse, QuotaUnusable, also if another file took its place
   */
  restore(): boolean {
    if (this.#isOnDisk()) return false;
    const { db } = this.#store;
    if (db.open) {
      if (existsSync(this.#path)) throw new QuotaUnusable(this.#path, 'EEXIST');
      this.#commit();
      try {
        rewriteDeleted(this.#path, db);
      } catch (error) {
        throw new QuotaUnusable(this.#path, error);
      }
    }
    this.#store = openStore(this.#path);
    return true;
  }

  close(): void {
    this.#commit();
    this.#store.db.close();
  }

  #loadTally(id: string): Tally {
    let tally = this.#tallies.get(id) ?? this.#unsaved.get(id);
    if (!tally) {
      try {
        const row = this.#store.read.get(id);
        tally = row ? parseTally(row) : newTally();
      } catch (error) {
        throw new QuotaUnusable(this.#path, error);
      }
      this.#tallies.set(id, tally);
    }
    return tally;
  }

  #commitSoon(): void {
    if (this.#isCommitDue) return;
    this.#isCommitDue = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    this.#isCommitDue = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    let failure = this.#unsaved.size === 0 ? undefined : this.#save();
    if (failure !== undefined && this.#checkpoint()) failure = this.#save();
    for (const callback of waiting) callback(failure);
  }

  /** @returns the error, if it failed; nothing changes then */
  #save(): unknown {
    try {
      // A single statement is a transaction by itself.
      if (this.#unsaved.size === 1 && dayNumber(this.#now()) === this.#daysShown.at(-1)) this.#writeUnsaved();
      else this.#store.transaction.immediate(() => this.#writeUnsaved());
      this.#unsaved.clear();
      return undefined;
    } catch (error) {
      return new QuotaUnusable(this.#path, error);
    }
  }

  #writeUnsaved(): void {
    for (const [id, tally] of this.#unsaved) {
      const { day, used, minute, other_days: others } = formatTally(tally);
      this.#store.write.run(id, day, used, minute, others);
    }
    this.#sweep();
  }

  /** A checkpoint, after which the log reuses its space: on a full disk it cannot grow. */
  #checkpoint(): boolean {
    try {
      this.#store.db.pragma('wal_checkpoint(PASSIVE)');
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Deletes expired tallies when the clock's day changes. Neither a clock set forward nor a restart may expire today's counts
   * (decision 9).
   */
  #sweep(): void {
    const today = dayNumber(this.#now());
    if (today === this.#daysShown.at(-1)) return;
    const shown = [...this.#daysShown, today].slice(-DAYS_SHOWN);
    this.#store.db.prepare('INSERT OR REPLACE INTO days_shown VALUES (1, ?)').run(shown.join(' '));
    if (shown.length === DAYS_SHOWN) {
      this.#store.db.prepare('DELETE FROM tally WHERE day < ?').run(Math.min(...shown));
    }
    this.#daysShown = shown;
  }
}

/** A principal without requests. */
const NOBODY = { id: 'nobody', plan: 'address' } as const;

type Store = ReturnType<typeof openStore>;

/** The open database and its statements. @throws QuotaInUse, QuotaUnusable */
function openStore(path: string) {
  const db = openDatabase(path);
  reserveRoom(db);
  return {
    db,
    inode: readInode(path),
    read: db.prepare<[string], StoredTally>(
      'SELECT day, used, minute, other_days FROM tally WHERE principal = ?',
    ),
    write: db.prepare<[string, number, number, string, string]>(
      // Not REPLACE, which would also write the index of principals.
      `INSERT INTO tally (principal, day, used, minute, other_days) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (principal) DO UPDATE SET
         day = excluded.day, used = excluded.used, minute = excluded.minute, other_days = excluded.other_days`,
    ),
    transaction: db.transaction((work: () => void) => work()),
  };
}

/** Undefined if there is no such file, or it cannot be reached. */
function readInode(path: string): bigint | undefined {
  try {
    return statSync(path, { bigint: true }).ino; // Those of NTFS have 64 bits.
  } catch {
    return undefined;
  }
}

/** @throws QuotaInUse, QuotaUnusable */
function openDatabase(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    ensurePrivateFolder(dirname(path));
    // SQLite would open a read-only file and fail later with a worse error.
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    ensurePrivateFile(path);
    db = new Database(path, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${LOG_BYTES / Number(db.pragma('page_size', { simple: true }))}`);
    db.exec(COUNTS_SCHEMA);
    // A few milliseconds for some megabytes. Later damage is found on reading.
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Database.SqliteError('damaged', 'SQLITE_CORRUPT');
    return db;
  } catch (error) {
    db?.close();
    throw codeOf(error)?.startsWith('SQLITE_BUSY') ? new QuotaInUse(path) : new QuotaUnusable(path, error);
  }
}

/**
 * Enlarges the database and its log at each start. Both keep the space, so thousands of new callers can still be counted
 * when the disk is full.
 */
function reserveRoom(db: Database.Database): void {
  try {
    db.exec(`DROP TABLE IF EXISTS room; CREATE TABLE room (bytes BLOB);
      INSERT INTO room VALUES (zeroblob(${RESERVED_BYTES})); DROP TABLE room`);
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error; // The disk is full already.
  }
}
