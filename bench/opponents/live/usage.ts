import Database from 'better-sqlite3';
import { dayLimit, type Limits, minuteLimit } from '../../../contract/policy.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface Usage {
  readonly limit: number;
  readonly used: number;
  readonly minuteUsed: number;
  readonly refused: boolean;
}

interface Row {
  readonly used: number;
  readonly minuteUsed: number;
}

interface Parameters {
  readonly principal: string;
  readonly day: number;
  readonly minute: number;
  readonly limit: number;
  readonly minuteLimit: number;
}

/**
 * Counts each request durably: one statement, one commit to the write-ahead log. It counts by clock minutes, which
 * is cheaper than Offprint's sliding minute.
 */
export class UsageCounter {
  readonly #limits: Limits;
  readonly #add;
  readonly #read;

  constructor(path: string, limits: Limits) {
    this.#limits = limits;
    const db = new Database(path);
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(`CREATE TABLE IF NOT EXISTS usage (principal TEXT PRIMARY KEY, day INTEGER NOT NULL,
      used INTEGER NOT NULL, minute INTEGER NOT NULL, minute_used INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
    // No row is returned if a limit is reached.
    this.#add = db.prepare<Parameters, Row>(
      `INSERT INTO usage (principal, day, used, minute, minute_used) VALUES (@principal, @day, 1, @minute, 1)
       ON CONFLICT (principal) DO UPDATE SET
         day = @day, used = iif(day = @day, used + 1, 1),
         minute = @minute, minute_used = iif(minute = @minute, minute_used + 1, 1)
       WHERE (day <> @day OR used < @limit) AND (minute <> @minute OR minute_used < @minuteLimit)
       RETURNING used, minute_used AS minuteUsed`,
    );
    this.#read = db.prepare<[string], Row>(
      'SELECT used, minute_used AS minuteUsed FROM usage WHERE principal = ?',
    );
  }

  /** @param nowMs milliseconds since 1970 */
  count(principal: string, plan: string, nowMs: number): Usage {
    const limit = dayLimit(this.#limits, plan);
    const added = this.#add.get({
      ...{ principal, day: Math.floor(nowMs / DAY_MS), minute: Math.floor(nowMs / MINUTE_MS) },
      ...{ limit, minuteLimit: minuteLimit(this.#limits, plan) },
    });
    if (added) return { limit, ...added, refused: false };
    return { limit, ...(this.#read.get(principal) ?? { used: limit, minuteUsed: 0 }), refused: true };
  }
}
