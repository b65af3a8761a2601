import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectState } from '@cloudflare/workers-types';
import { isNumber, listOf, parseJson, recordOf } from '../../contract/json.ts';
import type { CallerKind, Limits } from '../../contract/policy.ts';
import { dayOf, startOf } from '../../contract/day.ts';
import { AnsweredRequests } from './answered-requests.ts';
import {
  countWithLease,
  isSpent,
  type Lease,
  type LeaseRequest,
  type Log,
  newTally,
  NO_LOG,
  peekRequest,
  type Tally,
  type Verdict,
} from '../quota.ts';

/** A last minute may reach into the next day. Then, spread over an hour, all that was counted is cleared. */
const CLEAR_AFTER_MS = 120_000;
const CLEAR_SPREAD_MS = 3_600_000;

/** What a Durable Object says of one request. */
export interface Ruling {
  readonly verdict: Verdict;
  /** Where it refuses: all that is counted. As long as the rule refuses upon it, nobody need ask again. */
  readonly tally: Tally | null;
  readonly lease?: Lease | undefined;
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
  #answered = new AnsweredRequests();

  constructor(state: DurableObjectState, environment: unknown) {
    super(state, environment);
    this.#storage = state.storage;
  }

  /**
   * Counts one request, unless it is refused.
   *
   * @param request its id; the same id is counted once, however often it comes within ten minutes
   * @param ahead counts that are asked for, and given back, with it
   */
  count(kind: CallerKind, limits: Limits, request: string, ahead: LeaseRequest = { want: 0 }): Ruling {
    const now = Date.now();
    const tally = this.#read();
    const asBefore = this.#answered.find(request, now);
    if (asBefore !== undefined) {
      const verdict = peekRequest(tally, { kind }, limits, now);
      const remaining = Math.max(0, verdict.limit - asBefore);
      return { verdict: { ...verdict, refusedBy: null, used: asBefore, remaining }, tally: null };
    }
    const { verdict, lease } = countWithLease(tally, { kind }, limits, now, ahead);
    if (verdict.refusedBy !== null) return { verdict, tally };
    try {
      this.#answered.add(request, verdict.used, now);
      this.#keep(tally);
    } catch (error) {
      this.#tally = undefined; // What is in memory is counted, what is stored is not: begin from that.
      throw error;
    }
    return { verdict, tally: null, lease };
  }

  /** What `count` would find, without counting. */
  peek(kind: CallerKind, limits: Limits): Ruling {
    const tally = this.#read();
    const verdict = peekRequest(tally, { kind }, limits, Date.now());
    return { verdict, tally: verdict.refusedBy === null ? null : tally };
  }

  /** Clears what is of no more use. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (isSpent(this.#read(), now)) {
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
      this.#answered = new AnsweredRequests(row?.answered);
      this.#storedDay = row ? latestDay(this.#tally) : 0;
    }
    return this.#tally;
  }

  #row(): Row | undefined {
    const { sql } = this.#storage;
    const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('tally')").toArray();
    if (columns.length === 0) return undefined;
    // A row that an earlier version of the Worker wrote today.
    for (const [added, empty] of Object.entries(ADDED)) {
      if (!columns.some(({ name }) => name === added))
        sql.exec(`ALTER TABLE tally ADD COLUMN ${added} TEXT NOT NULL DEFAULT '${empty}'`);
    }
    return sql.exec<Row>('SELECT * FROM tally').toArray()[0];
  }

  /** Wherever there is a row there is an alarm: both are stored together, or neither. */
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
      ...[JSON.stringify(others), this.#answered.toText(), JSON.stringify(leased)],
    );
    if (this.#storedDay !== latest.day) void this.#storage.setAlarm(clearingTime(latest.day));
    this.#storedDay = latest.day;
  }
}

/** Columns that version 0.1.0 did not have, and what stands for nothing in them. */
const ADDED = { other_days: '[]', answered: '', leased: JSON.stringify(NO_LOG) };

/** An earlier version, should it be deployed again, can write this table too. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS tally
    (id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL, used INTEGER NOT NULL,
     times TEXT NOT NULL, counts TEXT NOT NULL, other_days TEXT NOT NULL, answered TEXT NOT NULL,
     leased TEXT NOT NULL DEFAULT '${ADDED.leased}') STRICT`;

/** The row of the table `tally`: the latest day, and as JSON the last minute, the other days and the leases. */
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

/** When a day's tally may be cleared, at the earliest. Not all at once. */
function clearingTime(day: number): number {
  return startOf(day + 1) + CLEAR_AFTER_MS + Math.random() * CLEAR_SPREAD_MS;
}
