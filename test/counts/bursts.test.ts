/**
 * Rows of a Durable Object for bursts: what is stored ahead, what a crash costs, and when isolates settle. What is counted is
 * compared with a model in model.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Limits } from '../../contract/policy.ts';
import type { Verdict } from '../../gateway/quota.ts';
import { PAUSE_MS, SETTLE_MS } from '../../gateway/worker/burst.ts';
import { ObjectQuotaCounter } from '../../gateway/worker/object-quota-counter.ts';
import type { QuotaObject } from '../../gateway/worker/quota-object.ts';
import { Random } from '../../bench/generate/random.ts';
import { SEED } from '../random-cases.ts';
import { ObjectStorage } from './object-storage.ts';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, waitUntil: () => undefined }));

const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 5, 10, 12);
const NEXT_MIDNIGHT = Date.UTC(2026, 5, 11);
/** An object leaves memory after 10 seconds without a request. */
const SLEEP_MS = 10_000;
const LIMITS: Limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A principal's Durable Object, and what has become of its memory. */
class Home {
  readonly storage = new ObjectStorage();
  readonly #limits: Limits;
  #object = this.storage.object();
  #requests = 0;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  ask(atMs: number, plan = 'address'): Verdict & { readonly isUnsettled: boolean } {
    vi.setSystemTime(atMs);
    this.#requests += 1;
    const { verdict, isUnsettled } = this.#object.count(plan, this.#limits, `r${this.#requests}`);
    return { ...verdict, isUnsettled };
  }

  look(atMs: number, plan = 'address'): Verdict {
    vi.setSystemTime(atMs);
    return this.#object.peek(plan, this.#limits).verdict;
  }

  /** Whether the row still counts more than was asked. */
  settle(atMs: number): boolean {
    vi.setSystemTime(atMs);
    return this.#object.settle();
  }

  loseMemory(): void {
    this.#object = this.storage.object();
  }

  /** Requests this far apart; the rows that they write. */
  rowsOf(atMs: number, requests: number, apartMs = 200): number {
    const before = this.storage.rows;
    for (let i = 0; i < requests; i++) this.ask(atMs + i * apartMs);
    return this.storage.rows - before;
  }
}

test('a clock that is set back over midnight gives nobody more than a day’s limit, wherever memory is lost', () => {
  const home = new Home({ ...LIMITS, minute: 1e6 });
  home.ask(NEXT_MIDNIGHT + 500);
  let answered = 1;
  for (let i = 0; i < 60; i++) {
    for (let j = 0; j < 5; j++)
      if (home.ask(NEXT_MIDNIGHT - 900 + i * 10 + j).refusedBy === null) answered += 1;
    home.loseMemory();
  }
  expect(answered).toBeLessThanOrEqual(50);
});

describe('a burst', () => {
  test.each([
    [2, [3, 2, 2]],
    [3, [3, 2, 2]],
    [5, [2, 2, 2]],
    [7, [4, 3, 3]],
    [10, [5, 4, 4]],
  ])('of %i requests, settled and forgotten each time, writes %j rows', (requests, rows) => {
    const home = new Home({ ...LIMITS, day: { ...LIMITS.day, address: 1000 } });
    const written = rows.map((_, i) => {
      const before = home.storage.rows;
      const start = NOON + i * MINUTE_MS;
      home.rowsOf(start, requests);
      home.settle(start + requests * 200 + SETTLE_MS);
      home.loseMemory();
      expect(home.look(start + SLEEP_MS).used).toBe((i + 1) * requests);
      return home.storage.rows - before;
    });
    expect(written).toEqual(rows);
  });

  test('says whether it must be settled, and is settled once, when it is over', () => {
    const home = new Home();
    const asked = [0, 1, 2].map((i) => home.ask(NOON + i * 100).isUnsettled);
    expect(asked).toEqual([false, true, true]);
    const { rows } = home.storage;
    home.settle(NOON + 200 + PAUSE_MS);
    expect(home.storage.rows).toBe(rows);
    home.settle(NOON + 201 + PAUSE_MS);
    home.settle(NOON + 202 + PAUSE_MS);
    expect(home.storage.rows).toBe(rows + 1);
    home.loseMemory();
    home.settle(NOON + 203 + PAUSE_MS);
    expect(home.look(NOON + SLEEP_MS).used).toBe(3);
    expect([0, 1, 2].map((i) => home.ask(NOON + SLEEP_MS + i * 100).isUnsettled)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is charged what it has ahead, if the object crashes', () => {
    const home = new Home();
    for (let i = 0; i < 3; i++) home.ask(NOON + i * 100);
    home.loseMemory();
    expect(home.look(NOON + 300)).toMatchObject({ used: 5, minuteRemaining: 25 });
    expect(home.ask(NOON + 300).used).toBe(6);
    // Each may have been made until now, and no later than bursts go on.
    expect(home.look(NOON + MINUTE_MS + 299).minuteRemaining).toBe(30 - 4);
    expect(home.look(NOON + MINUTE_MS + 300).minuteRemaining).toBe(30);
  });

  test('has nothing ahead close to a limit', () => {
    const aheadAt = (used: number) => {
      const home = new Home({ ...LIMITS, minute: 1000 });
      for (let i = 1; i < used; i++) home.ask(NOON + i * SLEEP_MS);
      home.ask(NOON + 3_600_000);
      home.ask(NOON + 3_600_001);
      home.loseMemory();
      return home.look(NOON + 3_600_002).used - used - 1;
    };
    expect([1, 36, 37, 41, 45, 46, 49].map(aheadAt)).toEqual([3, 3, 3, 2, 1, 0, 0]);
  });

  test('ends if the clock is set back', () => {
    const home = new Home();
    expect(home.rowsOf(NOON, 2)).toBe(2);
    expect(home.rowsOf(NOON - 1, 1)).toBe(1);
    home.loseMemory();
    expect(home.look(NOON).used).toBe(3);
  });
});

describe('an isolate', () => {
  const address = { id: 'address:one', plan: 'address' };
  beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));

  const counterOf = (stub: object) => new ObjectQuotaCounter(() => stub as DurableObjectStub<QuotaObject>);

  /** A counter with its object; the times of calls to settle, of which the first may fail. */
  function counting({ fails = 0, limits = LIMITS } = {}) {
    const home = new ObjectStorage();
    const [object, settled] = [home.object(), [] as number[]];
    const counter = counterOf({
      count: async (...of: Parameters<QuotaObject['count']>) => object.count(...of),
      settle: async () => {
        settled.push(Date.now() - NOON);
        if (settled.length <= fails) throw new Error('lost on the way');
        return object.settle();
      },
    });
    const ask = async (requests: number) => {
      for (let i = 0; i < requests; i++) {
        await counter.count(address, limits);
        await vi.advanceTimersByTimeAsync(100);
      }
    };
    const used = () => home.object().peek('address', limits).verdict.used;
    return { used, settled, ask };
  }

  test('settles a burst whose answers overtook each other, until nothing is left ahead', async () => {
    const object = new ObjectStorage().object();
    const answers: (() => void)[] = [];
    const settled: boolean[] = [];
    const counter = counterOf({
      count: (...of: Parameters<QuotaObject['count']>) => {
        const ruling = object.count(...of);
        // As after requests 2 and 6: one counts ahead, and the others use it up.
        const isUnsettled = ruling.verdict.used % 4 === 2;
        return new Promise((resolve) => answers.push(() => resolve({ ...ruling, isUnsettled })));
      },
      settle: () => Promise.resolve(settled.push(true) < 2),
    });
    const asked = Array.from({ length: 6 }, async () => counter.count(address, LIMITS));
    await vi.advanceTimersByTimeAsync(0);
    for (const i of [0, 1, 2, 3, 5, 4]) {
      answers[i]?.();
      await vi.advanceTimersByTimeAsync(0);
    }
    await Promise.all(asked);
    await vi.advanceTimersByTimeAsync(SETTLE_MS);
    expect(settled).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10 * SETTLE_MS);
    expect(settled).toHaveLength(2);
  });

  test.each([
    [1, []],
    [2, [100 + SETTLE_MS]],
    [4, [300 + SETTLE_MS]],
    [5, []],
    [6, [500 + SETTLE_MS]],
  ])('settles after a burst of %i requests at %j', async (requests, times) => {
    const { used, settled, ask } = counting();
    await ask(requests);
    await vi.advanceTimersByTimeAsync(2 * SETTLE_MS);
    expect(settled).toEqual(times);
    expect(used()).toBe(requests);
  });

  test('and others never give a caller more than its limits, whatever calls are lost or late', async () => {
    const seen = { retried: 0, daily: 0, minute: 0 };
    for (let run = 0; run < 10; run++) {
      // The same in every run of the tests, until each kind of refusal has been seen often.
      const random = new Random(run < 5 ? 6 : SEED, run);
      const some = {
        day: { address: random.between(150, 300), user: 1, admin: 1 },
        minute: random.between(20, 300),
      };
      const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const home = new ObjectStorage();
      let object = home.object();
      /** When each request that was answered was counted first. */
      const countedAt = new Map<string, number>();
      const lost = () => {
        if (!random.chance(0.03)) return;
        seen.retried += 1;
        throw new Error('lost on the way');
      };
      const stub = {
        count: async (...of: Parameters<QuotaObject['count']>) => {
          await sleep(random.chance(0.03) ? random.between(2500, 8000) : random.between(1, 60));
          lost();
          const ruling = object.count(...of);
          const at = countedAt.get(of[2]) ?? Date.now();
          if (ruling.verdict.refusedBy === null) countedAt.set(of[2], at);
          await sleep(random.between(1, 60));
          lost();
          return ruling;
        },
        settle: async () => object.settle(),
      };
      const counters = [1, 2, 3].map(() => counterOf(stub));
      let answered = 0;
      const asked: Promise<void>[] = [];
      for (let i = 0; i < 500; i++) {
        const ask = async () => {
          const { refusedBy } = await random.pick(counters).count(address, some);
          if (refusedBy === null) answered += 1;
          else seen[refusedBy] += 1;
        };
        asked.push(ask().catch(() => undefined));
        if (random.chance(0.6)) await vi.advanceTimersByTimeAsync(random.between(0, 600));
        if (random.chance(0.03)) object = home.object();
      }
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      await Promise.all(asked);
      const times = [...countedAt.values()].toSorted((a, b) => a - b);
      expect(answered).toBeLessThanOrEqual(times.length);
      expect(times.length).toBeLessThanOrEqual(some.day.address);
      for (let i = 0; i + some.minute < times.length; i++)
        expect((times[i + some.minute] ?? 0) - (times[i] ?? 0)).toBeGreaterThanOrEqual(MINUTE_MS);
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  test.each([86, 87, 88, 89])(
    'settles a burst of %i requests that goes on over midnight, after more requests on the day before',
    async (requests) => {
      const limits: Limits = { day: { address: 1000, user: 1, admin: 1 }, minute: 500 };
      const { used, ask } = counting({ limits });
      await ask(150);
      await vi.advanceTimersByTimeAsync(NEXT_MIDNIGHT - 150 - Date.now());
      // Longer than an isolate keeps asking for what it noted before midnight.
      await ask(2 + requests);
      await vi.advanceTimersByTimeAsync(2 * SETTLE_MS);
      expect(used()).toBe(requests);
    },
  );

  test('asks again once if that fails', async () => {
    const { used, settled, ask } = counting({ fails: 1 });
    await ask(2);
    await vi.advanceTimersByTimeAsync(2 * SETTLE_MS);
    expect(settled).toHaveLength(2);
    expect(used()).toBe(2);
  });
});
