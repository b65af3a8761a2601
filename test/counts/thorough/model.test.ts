/**
 * Every place that counts, against one model: across days, plans, restarts, and bursts that go on over midnight.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Limits } from '../../../contract/policy.ts';
import { dayNumber } from '../../../contract/day.ts';
import { countRequest, isExpired, newTally, peekRequest, type Verdict } from '../../../gateway/quota.ts';
import { AHEAD_MAX, PAUSE_MS, SETTLE_MS } from '../../../gateway/worker/burst.ts';
import { cases, SEED } from '../../random-cases.ts';
import { type Counter, DAY_MS, MINUTE_MS, Model, type Place, PLACES } from '../model.ts';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, waitUntil: () => undefined }));

const NOON = Date.UTC(2026, 5, 10, 12);
const MIDNIGHT = Date.UTC(2026, 5, 11);
/** A Durable Object leaves memory after 10 seconds without a request. */
const SLEEP_MS = 10_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A place next to the model: each verdict must be that of the model, or follow from what a lost memory may cost. */
class Compared {
  readonly model = new Model();
  readonly #place: Place;
  readonly #counter: Counter;
  /** Counted too much, at most, by day. */
  readonly #extra = new Map<number, number>();
  /** Until then, what was stored ahead may count in the minute at a later time than that of its request. */
  #roughUntil = 0;
  #last = -Infinity;
  #isBurst = false;

  constructor(place: Place) {
    this.#place = place;
    this.#counter = place.open();
  }

  get isAhead(): boolean {
    return this.#counter.isAhead();
  }

  ask(at: number, plan: string, limits: Limits): Verdict {
    vi.setSystemTime(at);
    const { model } = this;
    const expected = model.verdict(at, plan, limits);
    const verdict = this.#counter.count(plan, limits);
    if (verdict.refusedBy === null) model.allowed.push({ at, plan });
    const [made, extra] = [model.made(dayNumber(at)), this.#extra.get(dayNumber(at)) ?? 0];
    if (extra === 0 && at >= this.#roughUntil) expect(verdict).toEqual(expected);
    expect(verdict.used).toBeGreaterThanOrEqual(made);
    expect(verdict.used).toBeLessThanOrEqual(made + extra);
    this.#isBurst ||= at - this.#last <= PAUSE_MS;
    this.#last = at;
    return verdict;
  }

  settle(at: number): void {
    vi.setSystemTime(at);
    this.#counter.settle();
  }

  async lose(at: number): Promise<void> {
    vi.setSystemTime(at);
    const { ahead } = this.#place;
    // What is ahead is of the day of the last allowed request.
    const day = dayNumber(this.model.allowed.at(-1)?.at ?? at);
    if (this.isAhead) this.#extra.set(day, (this.#extra.get(day) ?? 0) + ahead);
    if (ahead > 0 && this.#isBurst) this.#roughUntil = this.#last + MINUTE_MS + AHEAD_MAX * PAUSE_MS;
    this.#isBurst = false;
    await this.#counter.lose();
  }

  close(): void {
    this.#counter.close();
  }
}

/** Milliseconds until the next request: within a burst, about its end, minute boundaries, hours, days. */
const pause = fc.oneof(
  { weight: 8, arbitrary: fc.nat(400) },
  { weight: 3, arbitrary: fc.integer({ min: PAUSE_MS - 2, max: PAUSE_MS + 2 }) },
  { weight: 3, arbitrary: fc.nat(30_000) },
  { weight: 2, arbitrary: fc.integer({ min: MINUTE_MS - 2, max: MINUTE_MS + 2 }) },
  { weight: 1, arbitrary: fc.nat(8 * 3_600_000) },
  { weight: 1, arbitrary: fc.integer({ min: DAY_MS - 2, max: DAY_MS + 2 }) },
);
const isIn = (times: number) => fc.nat(times - 1).map((n) => n === 0);
const step = fc.record({ ms: pause, isUser: isIn(3), crash: isIn(10), isUnsettled: isIn(4) });
/** Half of the time a slow caller, of whom nothing may be lost. */
const steps = fc.boolean().chain((isSlow) =>
  fc.array(isSlow ? step.map((one) => ({ ...one, ms: one.ms + PAUSE_MS + 1 })) : step, {
    minLength: 20,
    maxLength: 120,
    size: 'max' as const,
  }),
);
const limited = fc
  .record({
    address: fc.integer({ min: 1, max: 40 }),
    user: fc.integer({ min: 1, max: 60 }),
    minute: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ minute, ...day }): Limits => ({ day: { ...day, admin: 1 }, minute }));
/** Half of them just before midnight. */
const start = fc.oneof(fc.nat(DAY_MS), fc.integer({ min: DAY_MS / 2 - 20_000, max: DAY_MS / 2 }));

type Step = {
  readonly ms: number;
  readonly isUser: boolean;
  readonly crash: boolean;
  readonly isUnsettled: boolean;
};
const address = (ms: number, crash = false): Step => ({ ms, isUser: false, crash, isUnsettled: false });
/** Allowed, refused by the minute, lost, allowed again, refused by the day. */
const EACH_KIND: [Limits, number, Step[]] = [
  { day: { address: 3, user: 5, admin: 1 }, minute: 2 },
  0,
  [address(0), address(10), address(10), address(2 * MINUTE_MS, true), address(10), address(10)],
];

describe.each(PLACES)('$name', (place) => {
  test(`counts random requests like the model, whenever memory is lost, seed ${SEED}`, async () => {
    const seen = { allowed: 0, daily: 0, minute: 0, lost: 0 };
    await fc.assert(
      fc.asyncProperty(limited, start, steps, async (limits, after, all) => {
        const compared = new Compared(place);
        let now = NOON + after;
        for (const { ms, isUser, crash, isUnsettled } of all) {
          if (ms > SETTLE_MS && !isUnsettled) compared.settle(now + SETTLE_MS);
          now += ms;
          if (crash || ms > SLEEP_MS) {
            await compared.lose(now);
            seen.lost += 1;
          }
          const { refusedBy } = compared.ask(now, isUser ? 'user' : 'address', limits);
          seen[refusedBy ?? 'allowed'] += 1;
        }
        compared.close();
        expect(compared.model.excess(limits)).toBe(0);
      }),
      { seed: SEED, numRuns: cases(place.runs, 20 * place.runs), examples: [EACH_KIND] },
    );
    expect(Object.values(seen)).not.toContain(0);
  });

  test.each<[string, Limits, (before: number) => number]>([
    ['the minute', { day: { address: 100, user: 100, admin: 100 }, minute: 30 }, () => 30],
    ['the new day', { day: { address: 30, user: 30, admin: 30 }, minute: 500 }, (before) => before + 30],
  ])(
    'counts %s in a burst that goes on over midnight, wherever memory is lost',
    async (_, limits, mostOf) => {
      // The last request before midnight has three, two, one or none stored ahead.
      for (const before of [6, 7, 8, 9]) {
        for (const lost of [-1, before - 1, before, before + 1, before + 2, before + 3, before + 4]) {
          const compared = new Compared(place);
          const burst = Array.from({ length: 45 }, (__, i) => MIDNIGHT + 50 + 100 * (i - before));
          for (const [i, at] of burst.entries()) {
            if (i === lost) await compared.lose(at);
            compared.ask(at, 'address', limits);
          }
          const { model } = compared;
          expect(model.excess(limits)).toBe(0);
          expect(model.allowed.length).toBeLessThanOrEqual(mostOf(before));
          expect(model.allowed.length).toBeGreaterThanOrEqual(mostOf(before) - place.ahead);
          compared.close();
        }
      }
    },
  );

  test('ends the day at midnight UTC, and lets a request count for exactly 60 seconds', () => {
    const compared = new Compared(place);
    const limits: Limits = { day: { address: 4, user: 1, admin: 1 }, minute: 2 };
    const refused = [-2, -1, 0, 40_000, 59_997, 59_998, 59_999, 60_000, 99_999, 119_999, 120_000].map(
      (ms) => compared.ask(MIDNIGHT + ms, 'address', limits).refusedBy,
    );
    expect(refused.map((by) => by ?? 'allowed')).toEqual([
      ...['allowed', 'allowed', 'minute', 'minute', 'minute', 'allowed', 'allowed', 'minute', 'minute'],
      ...['allowed', 'allowed'],
    ]);
    compared.close();
  });
});

describe('the rule', () => {
  const LIMITS: Limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };

  test('peeks without counting', () => {
    const tally = newTally();
    countRequest(tally, { plan: 'address' }, LIMITS, NOON);
    const before = structuredClone(tally);
    const peeked = peekRequest(tally, { plan: 'address' }, LIMITS, NOON);
    expect(peeked).toMatchObject({ refusedBy: null, used: 1, remaining: 49 });
    expect(tally).toEqual(before);
  });

  test('lets a tally expire on another day, once its last minute is over', () => {
    const tally = newTally();
    expect(isExpired(tally, NOON)).toBe(true);
    countRequest(tally, { plan: 'address' }, LIMITS, MIDNIGHT - 1);
    const moments = [-1, MINUTE_MS - 2, MINUTE_MS - 1].map((ms) => isExpired(tally, MIDNIGHT + ms));
    expect(moments).toEqual([false, false, true]);
  });

  /** A plan whose name every object has a property of. */
  const odd = (limit: number): Record<string, number> => ({ ['constructor']: limit });
  const PLANS: Limits = {
    day: { address: 50, user: 100, admin: 1000, partner: 500, ...odd(7) },
    minute: { address: 30, user: 30, admin: 30, partner: 300, ...odd(3) },
  };

  test.each([
    ['partner', 500, 300],
    ['constructor', 7, 3],
    ['unknown', 100, 30],
    ['__proto__', 100, 30],
    ['toString', 100, 30],
  ])('gives "%s" %i a day and %i a minute', (plan, limit, ofMinute) => {
    expect(countRequest(newTally(), { plan }, PLANS, NOON)).toMatchObject({ limit, minuteLimit: ofMinute });
    const flat = countRequest(newTally(), { plan }, { ...PLANS, minute: 9 }, NOON);
    expect(flat).toMatchObject({ minuteLimit: 9 });
  });

  test('refuses at once with a lower plan in mid-day, and its headers stay true', () => {
    const tally = newTally();
    for (let i = 0; i < 120; i++) countRequest(tally, { plan: 'partner' }, PLANS, NOON + i * 1000);
    const later = NOON + 3 * MINUTE_MS;
    const lower = countRequest(tally, { plan: 'user' }, PLANS, later);
    expect(lower).toMatchObject({ refusedBy: 'daily', limit: 100, used: 120, remaining: 0 });
    const again = countRequest(tally, { plan: 'partner' }, PLANS, later);
    expect(again).toMatchObject({ refusedBy: null, used: 121 });
  });

  test('gives nobody more than the largest of the plans that follow one another', () => {
    const limits: Limits = {
      day: { address: 50, user: 40, admin: 120, partner: 80, slow: 100, fast: 100 },
      minute: { address: 30, user: 6, admin: 10, partner: 20, slow: 3, fast: 700 },
    };
    const plan = fc.constantFrom('user', 'partner', 'admin', 'slow', 'fast');
    fc.assert(
      fc.property(fc.array(fc.tuple(plan, fc.nat(4000)), { minLength: 50, maxLength: 400 }), (all) => {
        const [tally, model] = [newTally(), new Model()];
        let now = NOON;
        for (const [of, ms] of all) {
          now += ms;
          if (countRequest(tally, { plan: of }, limits, now).refusedBy === null)
            model.allowed.push({ at: now, plan: of });
        }
        expect(model.excess(limits)).toBe(0);
      }),
      { seed: SEED },
    );
  });
});
