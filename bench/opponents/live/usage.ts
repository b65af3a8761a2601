import Database from 'better-sqlite3';
import { dayLimit, type Limits, minuteLimit } from '../../../contract/policy.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface Usage {
  readonly limit: number;
  readonly minuteLimit: number;
  readonly used: number;
  readonly minuteUsed: number;
  readonly refused: boolean;
}

interface Tally {
  readonly principal: string;
  day: number;
  used: number;
  minute: number;
  minuteUsed: number;
}

/**
 * Counts in memory, and durably by group commit: the requests of one turn of the event loop share a transaction, and are
 * answered after it. It counts by clock minutes, which is cheaper than Offprint's sliding minute.
 */
export class UsageCounter {
  readonly #limits: Limits;
  readonly #tallies = new Map<string, Tally>();
  readonly #unsaved = new Set<Tally>();
  #waiting: (() => void)[] = [];
  readonly #save;

  constructor(path: string, limits: Limits) {
    this.#limits = limits;
    const db = new Database(path);
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('page_size = 1024');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('wal_autocheckpoint = 32768');
    db.exec(`CREATE TABLE IF NOT EXISTS usage (principal TEXT PRIMARY KEY, day INTEGER NOT NULL, used INTEGER NOT NULL,
      minute INTEGER NOT NULL, minuteUsed INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
    for (const tally of db.prepare<[], Tally>('SELECT * FROM usage').all())
      this.#tallies.set(tally.principal, tally);
    const write = db.prepare<[string, number, number, number, number]>(
      'INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?)',
    );
    this.#save = db.transaction((tallies: Iterable<Tally>) => {
      for (const { principal, day, used, minute, minuteUsed } of tallies)
        write.run(principal, day, used, minute, minuteUsed);
    });
  }

  /** @param nowMs milliseconds since 1970 */
  count(principal: string, plan: string, nowMs: number): Usage {
    const [limit, minuteMost] = [dayLimit(this.#limits, plan), minuteLimit(this.#limits, plan)];
    const [day, minute] = [Math.floor(nowMs / DAY_MS), Math.floor(nowMs / MINUTE_MS)];
    let tally = this.#tallies.get(principal);
    if (!tally) this.#tallies.set(principal, (tally = { principal, day, used: 0, minute, minuteUsed: 0 }));
    if (tally.day !== day) Object.assign(tally, { day, used: 0 });
    if (tally.minute !== minute) Object.assign(tally, { minute, minuteUsed: 0 });
    const refused = tally.used >= limit || tally.minuteUsed >= minuteMost;
    if (!refused) {
      tally.used++;
      tally.minuteUsed++;
      this.#unsaved.add(tally);
    }
    return { limit, minuteLimit: minuteMost, used: tally.used, minuteUsed: tally.minuteUsed, refused };
  }

  /** Calls back when all counts so far are in the write-ahead log. */
  whenSaved(callback: () => void): void {
    if (this.#unsaved.size === 0) return callback();
    if (this.#waiting.push(callback) === 1) setImmediate(() => this.#commit());
  }

  #commit(): void {
    this.#save.immediate(this.#unsaved);
    this.#unsaved.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback();
  }
}
