/**
 * Leases: the rule for granting them, how an isolate uses one, and isolates racing for the last counts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import { LeaseHolder } from '../../gateway/lease-holder.ts';
import {
  countWithLease,
  type DayCount,
  isExpired,
  mayLease,
  newTally,
  peekRequest,
  type Tally,
} from '../../gateway/quota.ts';
import { newBurst } from '../../gateway/worker/burst.ts';
import type { QuotaObjects } from '../../gateway/worker/environment.ts';
import { ObjectQuotaCounter } from '../../gateway/worker/object-quota-counter.ts';
import type { QuotaObject } from '../../gateway/worker/quota-object.ts';
import { SEED } from '../random-cases.ts';
import { ObjectStorage } from './object-storage.ts';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, waitUntil: () => undefined }));

const SECOND_MS = 1000;
const LEASE_MS = 10 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 5, 10, 12);
const NEXT_MIDNIGHT = Date.UTC(2026, 5, 11);
const TODAY = Math.floor(NOON / DAY_MS);
const MAX_COUNTS = 32;

const user = { id: 'account:one', plan: 'user' } as const;
const limitsOf = (day: number, minute: number): Limits => ({
  day: { address: 50, user: day, admin: 50 },
  minute,
});
const HIGH = limitsOf(100_000, 5000);

/** A tally whose caller has used part of the day. */
function tallyWith(used: number): Tally {
  return { ...newTally(), days: [{ day: TODAY, used }] };
}

const grant = (tally: Tally, limits: Limits, want: number, now = NOON) =>
  countWithLease(tally, user, limits, now, { want });

describe('a lease', () => {
  test('is counted when granted, after the request that asks for it', () => {
    const tally = newTally();
    expect(grant(tally, HIGH, 7)).toMatchObject({
      verdict: { refusedBy: null, used: 1, remaining: 99_999, minuteRemaining: 4999 },
      lease: { count: 7, day: TODAY, lastsMs: LEASE_MS },
    });
    expect(peekRequest(tally, user, HIGH, NOON)).toMatchObject({ used: 8, minuteRemaining: 4992 });
  });

  test.each([
    ['a daily limit of 10,000', limitsOf(10_000, 5000), 0],
    ['one of 10,001', limitsOf(10_001, 5000), 10],
    ['no daily limit', limitsOf(NO_LIMIT, 5000), MAX_COUNTS],
    ['no limit of the minute', limitsOf(100_000, NO_LIMIT), MAX_COUNTS],
    ['30 a minute', limitsOf(100_000, 30), 2],
    ['10 a minute', limitsOf(100_000, 10), 0],
  ])('has this maximum of counts under %s', (_, limits, most) => {
    const { verdict, lease } = grant(newTally(), limits, 1000);
    expect(verdict.refusedBy).toBe(null);
    expect(lease?.count ?? 0).toBe(most);
    expect(mayLease(limits, user)).toBe(limits.day.user > 10_000);
  });

  test("is for a thousandth of the day's remainder, and single counts near its end", () => {
    const left = (count: number) =>
      grant(tallyWith(20_000 - 1 - count), limitsOf(20_000, 5000), 1000).lease?.count;
    expect([19_000, 5999, 2000, 1999, 1000, 999, 0].map(left)).toEqual([
      19,
      5,
      2,
      1,
      1,
      undefined,
      undefined,
    ]);
    const tally = tallyWith(20_000);
    expect(grant(tally, limitsOf(20_000, 5000), 5)).toMatchObject({ verdict: { refusedBy: 'daily' } });
    expect(tally.days[0]?.used).toBe(20_000);
  });

  test('counts in the minute until 60 seconds after its end', () => {
    const limits = limitsOf(100_000, 100);
    const tally = newTally();
    grant(tally, limits, 5); // One is used now, five later.
    const left = (ms: number) => peekRequest(tally, user, limits, NOON + ms);
    expect(left(59_999)).toMatchObject({ minuteRemaining: 94, minuteResetIn: 1 });
    expect(left(60_000)).toMatchObject({ minuteRemaining: 95, minuteResetIn: 10 });
    expect(left(69_999)).toMatchObject({ minuteRemaining: 95, minuteResetIn: 1 });
    expect(left(70_000)).toMatchObject({ minuteRemaining: 100, minuteResetIn: 0 });
  });

  test('ends at midnight, and its tally expires with the last minute', () => {
    const tally = newTally();
    const limits = limitsOf(100_000, 500);
    const { lease } = grant(tally, limits, 5, NEXT_MIDNIGHT - 4000);
    expect(lease).toEqual({ count: 5, day: TODAY, lastsMs: 4000 });
    expect(peekRequest(tally, user, limits, NEXT_MIDNIGHT)).toMatchObject({ used: 0, minuteRemaining: 494 });
    expect(isExpired(tally, NEXT_MIDNIGHT + MINUTE_MS + 5999)).toBe(false);
    expect(isExpired(tally, NEXT_MIDNIGHT + MINUTE_MS + 6000)).toBe(true);
  });

  test('returns unused counts to its own day only', () => {
    const tally = newTally();
    grant(tally, HIGH, 5);
    const rest = { day: TODAY, count: 3 };
    const giveBack = (now: number) => countWithLease(tally, user, HIGH, now, { want: 0, rest }).verdict;
    // The minute keeps the counts.
    expect(giveBack(NOON)).toMatchObject({ used: 1 + 5 - 3 + 1, minuteRemaining: 5000 - 7 });
    expect(giveBack(NEXT_MIDNIGHT).used).toBe(1);
    expect(giveBack(NEXT_MIDNIGHT + DAY_MS).used).toBe(1);
  });

  test('survives a clock that is set back: its counts stay in the minute at least as long', () => {
    const tally = newTally();
    grant(tally, HIGH, 5);
    const back = NOON - 3_600_000;
    const left = (ms: number) => peekRequest(tally, user, HIGH, back + ms).minuteRemaining;
    expect([left(0), left(59_999), left(60_000), left(69_999), left(70_000)]).toEqual([
      ...[4994, 4994, 4995, 4995, 5000],
    ]);
  });
});

describe('an isolate', () => {
  /** Requests one lease at a time, and uses what is granted. */
  function ask(holder: LeaseHolder, tally: Tally, now: number, limits = HIGH) {
    const request = holder.request(now);
    const { verdict, lease } = countWithLease(tally, user, limits, now, request ?? { want: 0 });
    if (request) holder.take({ plan: 'user', limits, requestedAt: now }, verdict, lease);
    return { want: request?.want, rest: request?.rest?.count ?? 0, verdict };
  }
  const fresh = (now = NOON) => {
    const [holder, tally] = [new LeaseHolder(), newTally()];
    ask(holder, tally, now);
    return { holder, tally };
  };

  test('uses each count once, in order, and returns the remainder', () => {
    const { holder } = fresh();
    const verdicts = [1, 2, 3, 4].map((second) => holder.use(user, HIGH, NOON + second * SECOND_MS));
    expect(verdicts.map((verdict) => verdict?.used)).toEqual([2, 3, 4, 5]);
    expect(verdicts[3]).toMatchObject({
      ...{ refusedBy: null, limit: 100_000, remaining: 99_995, minuteRemaining: 4995, minuteResetIn: 56 },
      ...{ reset: NEXT_MIDNIGHT / 1000, resetIn: 12 * 3600 - 4 },
    });
    expect(holder.use(user, HIGH, NOON + 5000)).toBeUndefined();
  });

  test.each([
    ['nine seconds after it was asked for', user, HIGH, 9 * SECOND_MS],
    ['by a clock that was set back', user, HIGH, -3_600_000],
    ['under another daily limit', user, limitsOf(100_001, 5000), 0],
    ['under another limit of the minute', user, limitsOf(100_000, 5001), 0],
    ['by a caller of another kind', { ...user, plan: 'admin' } as const, HIGH, 0],
  ])('does not use a lease %s', (_, principal, limits, ms) => {
    const { holder } = fresh();
    expect(holder.use(user, { ...HIGH, day: { ...HIGH.day, admin: 1 } }, NOON)?.used).toBe(2);
    expect(holder.use(principal, limits, NOON + ms)).toBeUndefined();
  });

  test('does not use a lease after midnight', () => {
    const { holder } = fresh(NEXT_MIDNIGHT - 4000);
    expect(holder.use(user, HIGH, NEXT_MIDNIGHT - 3000)).toBeDefined();
    expect(holder.use(user, HIGH, NEXT_MIDNIGHT - 1000)).toBeUndefined();
  });

  test('requests one lease at a time, and returns the rest of the last one', () => {
    const { holder, tally } = fresh();
    holder.use(user, HIGH, NOON);
    holder.pending = Promise.resolve();
    expect(holder.request(NOON + 1)).toBeUndefined();
    holder.pending = undefined;
    expect(ask(holder, tally, NOON + 20_000).rest).toBe(3);
    expect(peekRequest(tally, user, HIGH, NOON + 20_000).used).toBe(1 + 1 + 1 + 4);
    expect(holder.request(NOON + 20_001)?.rest?.count).toBe(4);
    expect(holder.request(NOON + 20_002)?.rest).toBeUndefined();
  });

  /** The counter's calls for requests at these times. */
  function callsFor(times: readonly number[], limits = HIGH) {
    const [holder, tally] = [new LeaseHolder(), newTally()];
    let calls = 0;
    for (const ms of times) {
      if (holder.use(user, limits, NOON + ms)) continue;
      ask(holder, tally, NOON + ms, limits);
      calls += 1;
    }
    const unused = peekRequest(tally, user, limits, NOON).used - times.length;
    return { calls, unused };
  }
  const every = (ms: number, count: number) => Array.from({ length: count }, (_, i) => i * ms);

  test('requests as much as its caller uses', () => {
    expect(callsFor(every(100, 5))).toEqual({ calls: 1, unused: 0 });
    const bursts = every(120_000, 10).flatMap((start) => every(100, 8).map((ms) => start + ms));
    expect(callsFor(bursts).calls).toBeLessThanOrEqual(11);
    expect(callsFor(every(1000, 600)).calls).toBeLessThan(600 / 8);
    expect(callsFor(every(10, 3000)).calls).toBeLessThan(3000 / 25);
    // Sometimes the rest is returned, except for the last lease.
    expect(callsFor(every(30_000, 20))).toEqual({ calls: 20, unused: 4 });
  });
});

/** Durable Objects that record their calls. */
function objectsOf(count: unknown): QuotaObjects {
  return () => ({ count }) as unknown as ReturnType<QuotaObjects>;
}

/** A fixed time of day; timers run. */
function freezeClock(): void {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('returns a rest only once, even if the request is retried', async () => {
  freezeClock();
  const sent: (number | undefined)[] = [];
  const tally = newTally();
  let isFailing = false;
  const count = (...[, limits, , ahead]: Parameters<QuotaObject['count']>) => {
    sent.push(ahead?.rest?.count);
    const ruling = countWithLease(tally, user, limits, Date.now(), ahead ?? { want: 0 });
    if (!isFailing) return Promise.resolve({ ...ruling, tally: null });
    isFailing = false;
    return Promise.reject(new Error('lost on the way back'));
  };
  const quotas = new ObjectQuotaCounter(objectsOf(count));
  await quotas.count(user, HIGH);
  isFailing = true;
  await quotas.count(user, limitsOf(100_000, 4000));
  expect(sent).toEqual([undefined, 4, undefined]);
});

test.each([
  [5, 1],
  [20, 3],
])('of %i parallel requests, those wait that a lease may cover: %i calls', async (requests, calls) => {
  freezeClock();
  const tally = newTally();
  let called = 0;
  const count = (...[, limits, , ahead]: Parameters<QuotaObject['count']>) => {
    called += 1;
    return Promise.resolve({
      ...countWithLease(tally, user, limits, Date.now(), ahead ?? { want: 0 }),
      tally: null,
    });
  };
  const quotas = new ObjectQuotaCounter(objectsOf(count));
  const verdicts = await Promise.all(Array.from({ length: requests }, async () => quotas.count(user, HIGH)));
  expect(called).toBe(calls);
  expect(new Set(verdicts.map(({ used }) => used)).size).toBe(requests);
  expect(verdicts.every(({ refusedBy }) => refusedBy === null)).toBe(true);
});

/** The shared state of racing isolates: their Durable Object. */
class SharedObject {
  readonly #storage = new ObjectStorage();
  #object: QuotaObject;

  /** @param used requests before the race by day, latest first */
  constructor(used: Race['used']) {
    this.#storage.put('tally', { tally: { ...newTally(), days: used }, burst: newBurst(), answered: '' });
    this.#object = this.#storage.object();
  }

  /** Loses the memory, as the platform sometimes does. */
  restart(): void {
    this.#object = this.#storage.object();
  }

  count(...of: Parameters<QuotaObject['count']>): ReturnType<QuotaObject['count']> {
    return structuredClone(this.#object.count(...structuredClone(of)));
  }
}

interface Race {
  readonly isolates: number;
  readonly requests: number;
  readonly limits: Limits;
  /** Requests before the race by day, latest first. */
  readonly used: readonly [DayCount, ...DayCount[]];
  /** Start of the race in ms since 1970. */
  readonly start: number;
  /** Milliseconds between requests, on average. */
  readonly pause: number;
  /** Percentages: how often a call fails or is late, and an isolate or the object loses its memory. */
  readonly faults: number;
}

/**
 * Sends requests to random isolates, through all counting code of the Worker and a simulated network. `uses` are
 * the times of allowed requests: when they were counted, or took a count of a lease.
 */
async function race(random: Random, plan: Race) {
  vi.useFakeTimers({ now: plan.start, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const object = new SharedObject(plan.used);
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const fails = () => random.chance(plan.faults / 100);
  const asking = new AsyncLocalStorage<{ countedAt?: number }>();
  const seen = { calls: 0, late: 0, daily: 0, minute: 0, leased: 0, held: 0 };
  const count = async (...of: Parameters<QuotaObject['count']>) => {
    seen.calls += 1;
    const isLate = fails();
    if (isLate) seen.late += 1;
    await sleep(isLate ? random.between(2500, 8000) : random.between(1, 60));
    if (fails()) throw new Error('lost on the way');
    const ruling = object.count(...of);
    const request = asking.getStore();
    if (request && ruling.verdict.refusedBy === null) request.countedAt ??= Date.now();
    seen.held += (ruling.lease?.count ?? 0) - (of[3]?.rest?.count ?? 0);
    await sleep(random.between(1, 60));
    if (fails()) throw new Error('lost on the way back');
    return ruling;
  };
  const isolate = () => new ObjectQuotaCounter(objectsOf(count));
  const isolates = Array.from({ length: plan.isolates }, isolate);

  const uses: number[] = [];
  const send = async (request: { countedAt?: number }) => {
    const { refusedBy } = await random.pick(isolates).count(user, plan.limits);
    if (refusedBy !== null) seen[refusedBy] += 1;
    else uses.push(request.countedAt ?? Date.now());
    if (refusedBy === null && request.countedAt === undefined) seen.leased += 1;
  };
  const pending: Promise<void>[] = [];
  for (let i = 0; i < plan.requests; i++) {
    const request = {};
    // A failed request may have been counted, and has no answer.
    pending.push(asking.run(request, () => send(request)).catch(() => undefined));
    if (random.chance(0.6)) await vi.advanceTimersByTimeAsync(random.between(0, plan.pause * 3));
    if (fails()) isolates[random.between(0, plan.isolates - 1)] = isolate();
    if (fails()) object.restart();
  }
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await Promise.all(pending);
  vi.useRealTimers();
  seen.held -= seen.leased;
  return { uses: uses.sort((a, b) => a - b), seen };
}

function expectNeverOver(uses: readonly number[], plan: Race, context: string): void {
  const minute = minuteLimit(plan.limits, 'user');
  for (let i = 0; i + minute < uses.length; i++)
    expect((uses[i + minute] ?? 0) - (uses[i] ?? 0), context).toBeGreaterThanOrEqual(MINUTE_MS);
  const days = new Map(plan.used.map(({ day, used }) => [day, used]));
  for (const at of uses) days.set(Math.floor(at / DAY_MS), (days.get(Math.floor(at / DAY_MS)) ?? 0) + 1);
  for (const used of days.values()) expect(used, context).toBeLessThanOrEqual(plan.limits.day.user);
}

const UNUSED = [{ day: TODAY, used: 0 }] as const;

describe(`racing isolates, seed ${SEED}`, () => {
  test.each([
    ['as they are', 0],
    ['with calls that fail, and restarts of isolates and of the object', 3],
  ])('never get more than the daily limit, %s', async (_, faults) => {
    const all = { daily: 0, leased: 0 };
    for (let run = 0; run < 3; run++) {
      const random = new Random(SEED, run, faults);
      const day = random.between(10_001, 40_000);
      const left = random.between(1200, 1600);
      const plan = {
        ...{ isolates: random.between(2, 12), requests: 1800, limits: limitsOf(day, NO_LIMIT), faults },
        ...{ used: [{ day: TODAY, used: day - left }] as const, start: NOON, pause: random.pick([1, 5, 30]) },
      };
      const { uses, seen } = await race(random, plan);
      const context = JSON.stringify({ seed: SEED, run, plan, seen });
      expectNeverOver(uses, plan, context);
      if (faults === 0) {
        // Less by at most the counts in leases, one per isolate.
        expect(seen.daily, context).toBeGreaterThan(0);
        expect(left - uses.length, context).toBe(seen.held);
        expect(seen.held, context).toBeLessThanOrEqual(2 * plan.isolates);
      }
      all.daily += seen.daily;
      all.leased += seen.leased;
    }
    expect(all.daily).toBeGreaterThan(30);
    expect(all.leased).toBeGreaterThan(30);
  });

  test.each([
    ['as they are', 0],
    ['with calls that fail, and restarts of isolates and of the object', 3],
  ])('never get more than the limit of any 60 seconds, %s', async (_, faults) => {
    const all = { minute: 0, leased: 0 };
    for (let run = 0; run < 15; run++) {
      const random = new Random(SEED, run, faults, 1);
      const plan = {
        ...{
          isolates: random.between(1, 6),
          requests: 400,
          limits: limitsOf(100_000, random.between(20, 200)),
        },
        ...{ used: UNUSED, start: NOON, pause: random.pick([50, 200, 1000]), faults },
      };
      const { uses, seen } = await race(random, plan);
      expectNeverOver(uses, plan, JSON.stringify({ seed: SEED, run, plan, seen }));
      all.minute += seen.minute;
      all.leased += seen.leased;
    }
    expect(all.minute).toBeGreaterThan(100);
    expect(all.leased).toBeGreaterThan(100);
  });

  test('use a lease only on the day on which it was counted', async () => {
    const tomorrow = { day: TODAY + 1, used: 20_000 - 50 };
    let [leased, daily] = [0, 0];
    for (let run = 0; run < 10; run++) {
      const random = new Random(SEED, run, 2);
      const plan = {
        ...{ isolates: random.between(1, 6), requests: 400, limits: limitsOf(20_000, NO_LIMIT) },
        ...{ used: [tomorrow, { day: TODAY, used: 10_000 }] as const, start: NEXT_MIDNIGHT - 4000 },
        ...{ pause: 30, faults: 3 },
      };
      const { uses, seen } = await race(random, plan);
      expectNeverOver(uses, plan, JSON.stringify({ seed: SEED, run, plan, seen }));
      leased += seen.leased;
      daily += seen.daily;
    }
    expect(leased).toBeGreaterThan(100);
    expect(daily).toBeGreaterThan(100);
  });

  test('call their object less often than they get requests', async () => {
    const plan = { isolates: 3, requests: 1000, used: UNUSED, start: NOON, faults: 0 };
    const callsAt = async (pause: number, limits: Limits) =>
      (await race(new Random(SEED, pause), { ...plan, limits, pause })).seen.calls;
    expect(await callsAt(20, HIGH)).toBeLessThan(1000 / 6);
    expect(await callsAt(1000, HIGH)).toBeLessThan(1000 / 2);
    expect(await callsAt(20, limitsOf(10_000, 5000))).toBe(1000);
  });
});
