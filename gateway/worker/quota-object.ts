import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectState } from '@cloudflare/workers-types';
import { isNumber, listOf, parseJson, recordOf } from '../../contract/json.ts';
import type { Limits } from '../../contract/policy.ts';
import { dayOf, startOf } from '../../contract/day.ts';
import type { Ruling } from '../leasing-quota-counter.ts';
import { CountedRequests } from './counted-requests.ts';
import {
  countWithLease,
  isExpired,
  type LeaseRequest,
  type Log,
  newTally,
  NO_LOG,
  peekRequest,
  type Tally,
} from '../quota.ts';

/** The last minute may reach into the next day. After it, tallies are cleared, spread over an hour. */
const CLEAR_AFTER_MS = 120_000;
const CLEAR_SPREAD_MS = 3_600_000;

/**
 * Counts the requests of one principal, worldwide. Each name has one object with one thread, and no answer leaves before its
 * writes are stored: so the count is exact and survives crashes.
 *
 * The tally is one row, written once for each request. An alarm deletes it the next day.
 */
export class QuotaObject extends DurableObject {
  readonly #storage: DurableObjectState['storage'];
  #tally: Tally | undefined;
  /** The day of the row; 0: no row. */
  #storedDay = 0;
  #counted = new CountedRequests();

  constructor(state: DurableObjectState, environment: unknown) {
    super(state, environment);
    this.#storage = state.storage;
  }

  /**
   * Counts one request, unless it is refused.
   *
   * @param request its id; counted once within ten minutes
   * @param ahead counts to grant in advance, and unused ones that are returned
   */
  count(plan: string, limits: Limits, request: string, ahead: LeaseRequest = { want: 0 }): Ruling {
    const now = Date.now();
    const tally = this.#read();
    const asBefore = this.#counted.find(request, now);
    if (asBefore !== undefined) {
      const verdict = peekRequest(tally, { plan }, limits, now);
      const remaining = Math.max(0, verdict.limit - asBefore);
      return { verdict: { ...verdict, refusedBy: null, used: asBefore, remaining }, tally: null };
    }
    const { verdict, lease } = countWithLease(tally, { plan }, limits, now, ahead);
    if (verdict.refusedBy !== null) return { verdict, tally };
    try {
      this.#counted.add(request, verdict.used, now);
      this.#keep(tally);
    } catch (error) {
      this.#tally = undefined; // The count is in memory but not stored: continue from the stored tally.
      throw error;
    }
    return { verdict, tally: null, lease };
  }

  /** A dry run of `count`. */
  peek(plan: string, limits: Limits): Ruling {
    const tally = this.#read();
    const verdict = peekRequest(tally, { plan }, limits, Date.now());
    return { verdict, tally: verdict.refusedBy === null ? null : tally };
  }

  /** Deletes an expired tally. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (isExpired(this.#read(), now)) {
      this.#tally = undefined;
      await this.#storage.deleteAll();
    } else {
      await this.#storage.setAlarm(clearingTime(Math.max(latestDay(this.#read()), dayOf(now))));
    }
  }

  #read(): Tally {
    if (!this.#tally) {
      const row = this.#row();
      this.#tally = row ? tallyOf(row) : newTally();
      this.#counted = new CountedRequests(row?.answered);
      this.#storedDay = row ? latestDay(this.#tally) : 0;
    }
    return this.#tally;
  }

  #row(): Row | undefined {
    const { sql } = this.#storage;
    const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('tally')").toArray();
    if (columns.length === 0) return undefined;
    // An earlier version of the Worker wrote the row today.
    for (const [added, empty] of Object.entries(ADDED)) {
      if (!columns.some(({ name }) => name === added))
        sql.exec(`ALTER TABLE tally ADD COLUMN ${added} TEXT NOT NULL DEFAULT '${empty}'`);
    }
    return sql.exec<Row>('SELECT * FROM tally').toArray()[0];
  }

  /** Row and alarm are stored together, or neither. */
  #keep(tally: Tally): void {
    const { days, times, counts, leased = NO_LOG } = tally;
    const [latest = { day: 0, used: 0 }, ...others] = days;
    if (this.#storedDay === 0) this.#storage.sql.exec(TABLE);
    this.#storage.sql.exec(
      `INSERT INTO tally (id, day, used, times, counts, other_days, answered, leased) VALUES (1, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET day = excluded.day, used = excluded.used, times = excluded.times,
         counts = excluded.counts, other_days = excluded.other_days, answered = excluded.answered,
         leased = excluded.leased`,
      ...[latest.day, latest.used, JSON.stringify(times), JSON.stringify(counts)],
      ...[JSON.stringify(others), this.#counted.toText(), JSON.stringify(leased)],
    );
    if (this.#storedDay !== latest.day) void this.#storage.setAlarm(clearingTime(latest.day));
    this.#storedDay = latest.day;
  }
}

/** Columns added since version 0.1.0, with their empty values. */
const ADDED = { other_days: '[]', answered: '', leased: JSON.stringify(NO_LOG) };

/** Earlier versions can also write this table, in case one is deployed again. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS tally
    (id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL, used INTEGER NOT NULL,
     times TEXT NOT NULL, counts TEXT NOT NULL, other_days TEXT NOT NULL, answered TEXT NOT NULL,
     leased TEXT NOT NULL DEFAULT '${ADDED.leased}') STRICT`;

/** The row of `tally`: the latest day; the last minute, other days and leases as JSON. */
type Row = Record<'day' | 'used', number> & Record<'times' | 'counts' | keyof typeof ADDED, string>;

const isDays = listOf(recordOf<Tally['days'][number]>({ day: isNumber, used: isNumber }));
const isNumbers = listOf(isNumber);
const isLog = recordOf<Log>({ times: isNumbers, counts: isNumbers });

function tallyOf({ day, used, times, counts, other_days: others, leased }: Row): Tally {
  return {
    days: [{ day, used }, ...parseJson(others, isDays, 'a tally')],
    times: parseJson(times, isNumbers, 'a tally'),
    counts: parseJson(counts, isNumbers, 'a tally'),
    leased: parseJson(leased, isLog, 'a tally'),
  };
}

function latestDay({ days }: Tally): number {
  return days[0]?.day ?? 0;
}

/** When to clear a day's tally, spread randomly. */
function clearingTime(day: number): number {
  return startOf(day + 1) + CLEAR_AFTER_MS + Math.random() * CLEAR_SPREAD_MS;
}
