import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectState } from '@cloudflare/workers-types';
import type { Limits } from '../../contract/policy.ts';
import { dayNumber, dayStart } from '../../contract/day.ts';
import type { CountResult } from '../central-quota-counter.ts';
import { type Burst, extendBurst, mustSettle, newBurst, restoreBurst } from './burst.ts';
import { countRequest, isExpired, newTally, peekRequest, type Tally } from '../quota.ts';

/** The last minute may reach into the next day. After it, tallies are cleared, spread over an hour. */
const CLEAR_AFTER_MS = 120_000;
const CLEAR_SPREAD_MS = 3_600_000;

/** Requests whose repetition is not counted: a retry comes within seconds. They are written with each row. */
const REPEATABLE = 320;

/** The key of what is stored. */
const STORED = 'tally';

/** The answer to a request. */
export interface BurstCountResult extends CountResult {
  /** Whether requests that were not made are stored as counted. */
  readonly isUnsettled: boolean;
}

/**
 * Counts the requests of one principal, worldwide. Each name has one object with one thread, and no answer leaves before its
 * writes are stored: so the count is exact, and a crash never gives a caller more than its limit.
 *
 * The tally is one row: written for each request, but twice for a burst (burst.ts). An alarm deletes it the next day.
 */
export class QuotaObject extends DurableObject {
  readonly #storage: DurableObjectState['storage'];
  #tally: Tally | undefined;
  #burst = newBurst();
  /** The usage after each of the last counted requests, by its id, in counting order. */
  #counted = new Map<string, number>();
  /** The day of the row; 0: none. */
  #storedDay = 0;

  constructor(state: DurableObjectState, environment: unknown) {
    super(state, environment);
    this.#storage = state.storage;
  }

  /**
   * Counts one request, unless it is refused.
   *
   * @param request its id: if its answer was lost and it is sent again, it is not counted again
   */
  count(plan: string, limits: Limits, request: string): BurstCountResult {
    const now = Date.now();
    const tally = this.#read();
    const usedBefore = this.#counted.get(request);
    if (usedBefore !== undefined) {
      const verdict = peekRequest(tally, { plan }, limits, now);
      const remaining = Math.max(0, verdict.limit - usedBefore);
      return {
        verdict: { ...verdict, refusedBy: null, used: usedBefore, remaining },
        tally: null,
        isUnsettled: this.#burst.ahead > 0,
      };
    }
    const verdict = countRequest(tally, { plan }, limits, now);
    if (verdict.refusedBy !== null) return { verdict, tally, isUnsettled: this.#burst.ahead > 0 };
    const [oldest = ''] = this.#counted.keys();
    if (this.#counted.size >= REPEATABLE) this.#counted.delete(oldest);
    this.#counted.set(request, verdict.used);
    if (!extendBurst(this.#burst, verdict, now)) this.#keep(tally);
    return { verdict, tally: null, isUnsettled: this.#burst.ahead > 0 };
  }

  /** A dry run of `count`. */
  peek(plan: string, limits: Limits): CountResult {
    const tally = this.#read();
    const verdict = peekRequest(tally, { plan }, limits, Date.now());
    return { verdict, tally: verdict.refusedBy === null ? null : tally };
  }

  /** Stores the exact count, if the burst is over and the row has more. Returns whether it still has more. */
  settle(): boolean {
    if (this.#tally && mustSettle(this.#burst, Date.now())) {
      this.#burst.ahead = 0;
      this.#keep(this.#tally);
    }
    return this.#burst.ahead > 0;
  }

  /** Deletes an expired tally. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (isExpired(this.#read(), now)) {
      this.#tally = undefined;
      await this.#storage.deleteAll();
    } else {
      await this.#storage.setAlarm(clearingTime(Math.max(latestDay(this.#read()), dayNumber(now))));
    }
  }

  #read(): Tally {
    if (!this.#tally) {
      const row: Row = this.#storage.kv.get<Row>(STORED) ?? { tally: newTally(), burst: newBurst() };
      this.#burst = restoreBurst(row.tally, row.burst, Date.now());
      this.#counted = row.counted ?? new Map<string, number>();
      this.#storedDay = latestDay(row.tally);
      this.#tally = row.tally;
    }
    return this.#tally;
  }

  /** Row and alarm are stored together, or neither. */
  #keep(tally: Tally): void {
    const row: Row = { tally, burst: this.#burst, counted: this.#counted };
    const day = latestDay(tally);
    try {
      // The runtime bills the row, but not its own table.
      this.#storage.kv.put(STORED, row);
      if (this.#storedDay !== day) void this.#storage.setAlarm(clearingTime(day));
      this.#storedDay = day;
    } catch (error) {
      this.#tally = undefined; // The count is in memory but not stored: continue from the stored tally.
      throw error;
    }
  }
}

/** What is stored: the tally counts `burst.ahead` requests less than count after a crash. */
interface Row {
  readonly tally: Tally;
  readonly burst: Burst;
  readonly counted?: Map<string, number>;
}

function latestDay({ days }: Tally): number {
  return days[0]?.day ?? 0;
}

/** When to clear a day's tally, spread randomly. */
function clearingTime(day: number): number {
  return dayStart(day + 1) + CLEAR_AFTER_MS + Math.random() * CLEAR_SPREAD_MS;
}
