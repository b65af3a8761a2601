/**
 * The one model of counting: the rule in its simplest form, and the places that count, whose memory a test can end.
 */
import { join } from 'node:path';
import { dayLimit, type Limits, minuteLimit } from '../../contract/policy.ts';
import { dayNumber } from '../../contract/day.ts';
import { countRequest, newTally, type Verdict } from '../../gateway/quota.ts';
import { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import { AHEAD_MAX } from '../../gateway/worker/burst.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { saved } from '../service/one-machine.ts';
import { ObjectStorage } from './object-storage.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Every allowed request of a principal, never forgotten. */
export class Model {
  readonly allowed: { readonly at: number; readonly plan: string }[] = [];

  made(day: number): number {
    return this.allowed.filter(({ at }) => dayNumber(at) === day).length;
  }

  /** The verdict on a request, which is not recorded. */
  verdict(now: number, plan: string, limits: Limits): Verdict {
    const [limit, perMinute, day] = [dayLimit(limits, plan), minuteLimit(limits, plan), dayNumber(now)];
    const lately = this.allowed.filter(({ at }) => at > now - MINUTE_MS).map(({ at }) => at);
    const refusedBy = this.made(day) >= limit ? 'daily' : lately.length >= perMinute ? 'minute' : null;
    if (refusedBy === null) lately.push(now);
    const used = this.made(day) + (refusedBy === null ? 1 : 0);
    const resetMs = (day + 1) * DAY_MS;
    const [oldest] = lately;
    return {
      ...{ refusedBy, limit, used, remaining: Math.max(0, limit - used) },
      ...{ reset: resetMs / 1000, resetIn: Math.ceil((resetMs - now) / 1000) },
      ...{ minuteLimit: perMinute, minuteRemaining: Math.max(0, perMinute - lately.length) },
      minuteResetIn: oldest === undefined ? 0 : Math.ceil((oldest + MINUTE_MS - now) / 1000),
    };
  }

  /** Requests beyond the limits of the plans with which they came: of a day, or within 60 seconds. */
  excess(limits: Limits): number {
    const over = (some: typeof this.allowed, limitOf: (limits: Limits, plan: string) => number) =>
      some.length - Math.max(...some.map(({ plan }) => limitOf(limits, plan)));
    return Math.max(
      0,
      ...this.allowed.flatMap(({ at }, i) => {
        const later = this.allowed.slice(i);
        const inMinute = later.filter((one) => one.at < at + MINUTE_MS);
        const inDay = later.filter((one) => dayNumber(one.at) === dayNumber(at));
        return [over(inMinute, minuteLimit), over(inDay, dayLimit)];
      }),
    );
  }
}

/** A place that counts the requests of one principal, by the clock of `Date.now`. */
export interface Counter {
  count(plan: string, limits: Limits): Verdict;
  /** Loses what is only in memory, like a process that is killed after its last answer. */
  lose(): Promise<void>;
  /** Whether more is stored than was counted. */
  isAhead(): boolean;
  /** Stores the exact count, if a burst is over. */
  settle(): void;
  close(): void;
}

export interface Place {
  readonly name: string;
  /** Counted too much at most, if memory is lost in a burst. */
  readonly ahead: number;
  /** Runs of a random test: a database on disk is slower. */
  readonly runs: number;
  open(): Counter;
}

const NOTHING = { lose: async () => {}, isAhead: () => false, settle() {}, close() {} };

/** The rule with a tally in memory, SQLite on one machine, and a Durable Object. PostgreSQL has a clock of its own. */
export const PLACES: readonly Place[] = [
  {
    ...{ name: 'the rule', ahead: 0, runs: 300 },
    open() {
      const tally = newTally();
      return { ...NOTHING, count: (plan, limits) => countRequest(tally, { plan }, limits, Date.now()) };
    },
  },
  {
    ...{ name: 'SQLite', ahead: 0, runs: 15 },
    open() {
      const path = join(temporaryFolder(), 'quota.db');
      const make = () => new SqliteQuotaCounter(path, () => Date.now());
      let counter = make();
      return {
        ...NOTHING,
        count: (plan, limits) => counter.count({ id: 'account:one', plan }, limits),
        async lose() {
          await saved(counter);
          counter.close();
          counter = make();
        },
        close: () => counter.close(),
      };
    },
  },
  {
    ...{ name: 'a Durable Object', ahead: AHEAD_MAX, runs: 200 },
    open() {
      const storage = new ObjectStorage();
      let [object, requests, isAhead] = [storage.object(), 0, false];
      return {
        count(plan, limits) {
          const { verdict, isUnsettled } = object.count(plan, limits, `r${(requests += 1)}`);
          isAhead = isUnsettled;
          return verdict;
        },
        async lose() {
          [object, isAhead] = [storage.object(), false];
        },
        isAhead: () => isAhead,
        settle: () => void (isAhead = object.settle()),
        close() {},
      };
    },
  },
];
