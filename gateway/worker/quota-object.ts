import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectState } from '@cloudflare/workers-types';
import type { CallerKind, Limits } from '../../contract/policy.ts';
import {
  countRequest,
  isSpent,
  newTally,
  peekRequest,
  storedTally,
  type Tally,
  type Verdict,
} from '../quota.ts';

const DAY_MS = 86_400_000;

/** A last minute may reach into the next day. Then, spread over an hour, all that was counted is cleared. */
const CLEAR_AFTER_MS = 120_000;
const CLEAR_SPREAD_MS = 3_600_000;

/** Requests whose verdict is kept, in case that the answer got lost and they ask again. */
const REMEMBERED = 32;

/** What a Durable Object says of one request. */
export interface Ruling {
  readonly verdict: Verdict;
  /** Where it refuses: all that is counted. As long as the rule refuses upon it, nobody need ask again. */
  readonly tally: Tally | null;
}

/**
 * Counts the requests of one principal, wherever in the world they come in. There is one such object for
 * each name and one thread in it, and no answer leaves before what it wrote is stored: so the count is
 * exact, and survives any crash.
 *
 * The tally is one row: one request, one row written. An alarm clears all of it the day after.
 */
export class QuotaObject extends DurableObject {
  readonly #storage: DurableObjectState['storage'];
  #tally: Tally | undefined;
  /** The day of the row; 0: there is none. */
  #storedDay = 0;
  readonly #remembered = new Map<string, Ruling>();

  constructor(state: DurableObjectState, environment: unknown) {
    super(state, environment);
    this.#storage = state.storage;
  }

  /**
   * Counts one request, unless it is refused.
   *
   * @param request its id; the same id is counted once
   */
  count(kind: CallerKind, limits: Limits, request: string): Ruling {
    const remembered = this.#remembered.get(request);
    if (remembered) return remembered;
    try {
      return this.#remember(request, this.#count(kind, limits));
    } catch (error) {
      this.#tally = undefined; // What is in memory is counted, what is stored is not: begin from that.
      throw error;
    }
  }

  /** What `count` would find, without counting. */
  peek(kind: CallerKind, limits: Limits): Ruling {
    const tally = this.#read();
    return ruling(peekRequest(tally, { id: '', kind }, limits, Date.now()), tally);
  }

  /** Clears what is of no more use. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (isSpent(this.#read(), now)) {
      this.#tally = undefined;
      await this.#storage.deleteAll();
    } else {
      await this.#storage.setAlarm(now + CLEAR_SPREAD_MS);
    }
  }

  #count(kind: CallerKind, limits: Limits): Ruling {
    const tally = this.#read();
    const verdict = countRequest(tally, { id: '', kind }, limits, Date.now());
    if (verdict.refusedBy === null) this.#keep(tally);
    return ruling(verdict, tally);
  }

  #remember(request: string, answer: Ruling): Ruling {
    if (answer.verdict.refusedBy !== null) return answer;
    this.#remembered.set(request, answer);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return answer;
  }

  #read(): Tally {
    if (!this.#tally) {
      const stored = this.#stored();
      this.#tally = stored ?? newTally();
      this.#storedDay = stored?.day ?? 0;
    }
    return this.#tally;
  }

  /** Wherever there is a row there is an alarm: both are stored together, or neither. */
  #keep(tally: Tally): void {
    if (this.#storedDay === 0) this.#createTable();
    this.#write(tally);
    if (this.#storedDay !== tally.day) void this.#storage.setAlarm(clearingTime(tally.day));
    this.#storedDay = tally.day;
  }

  #stored(): Tally | undefined {
    const { sql } = this.#storage;
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'tally'").toArray().length === 0) return undefined;
    const [row] = sql.exec<Row>('SELECT day, used, times, counts FROM tally').toArray();
    return (
      row &&
      storedTally({
        day: row.day,
        used: row.used,
        times: JSON.parse(row.times),
        counts: JSON.parse(row.counts),
      })
    );
  }

  #createTable(): void {
    this.#storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS tally
        (id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL, used INTEGER NOT NULL,
         times TEXT NOT NULL, counts TEXT NOT NULL) STRICT
    `);
  }

  #write({ day, used, times, counts }: Tally): void {
    this.#storage.sql.exec(
      `INSERT INTO tally (id, day, used, times, counts) VALUES (1, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET day = excluded.day, used = excluded.used,
         times = excluded.times, counts = excluded.counts`,
      ...[day, used, JSON.stringify(times), JSON.stringify(counts)],
    );
  }
}

/** A row of the table `tally`; lists are JSON. */
type Row = Record<'day' | 'used', number> & Record<'times' | 'counts', string>;

function ruling(verdict: Verdict, tally: Tally): Ruling {
  return { verdict, tally: verdict.refusedBy === null ? null : tally };
}

/** When a day's tally may be cleared, at the earliest. Not all at once. */
function clearingTime(day: number): number {
  return (day + 1) * DAY_MS + CLEAR_AFTER_MS + Math.random() * CLEAR_SPREAD_MS;
}
