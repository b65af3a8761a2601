import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../contract/policy.ts';
import type { Principal } from '../../gateway/home.ts';
import { countRequest, isExpired, newTally, peekRequest } from '../../gateway/quota.ts';
import { SEED } from '../random-cases.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON = Date.UTC(2026, 5, 10, 12);
const NEXT_MIDNIGHT = Date.UTC(2026, 5, 11);

const address: Principal = { plan: 'address', id: 'an address' };
const LIMITS: Limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };

describe('the day', () => {
  test('ends at midnight UTC, to the millisecond', () => {
    const tally = newTally();
    const limits: Limits = { ...LIMITS, day: { ...LIMITS.day, address: 1 } };
    const at = (ms: number) => countRequest(tally, address, limits, ms);
    expect(at(NEXT_MIDNIGHT - 2)).toMatchObject({ refusedBy: null, resetIn: 1 });
    expect(at(NEXT_MIDNIGHT - 1)).toMatchObject({ refusedBy: 'daily', used: 1, reset: NEXT_MIDNIGHT / 1000 });
    expect(at(NEXT_MIDNIGHT)).toMatchObject({
      ...{ refusedBy: null, used: 1, resetIn: 86_400 },
      reset: (NEXT_MIDNIGHT + DAY_MS) / 1000,
    });
  });
});

describe('the minute', () => {
  const two: Limits = { ...LIMITS, minute: 2 };

  test('slides: a request counts for exactly 60 seconds', () => {
    const tally = newTally();
    const at = (ms: number) => countRequest(tally, address, two, NOON + ms).refusedBy;
    expect([at(0), at(20_000), at(20_001)]).toEqual([null, null, 'minute']);
    expect([at(59_999), at(60_000), at(60_001)]).toEqual(['minute', null, 'minute']);
    expect([at(79_999), at(80_000)]).toEqual(['minute', null]);
  });
});

test('peeking returns the verdict without counting', () => {
  const tally = newTally();
  countRequest(tally, address, LIMITS, NOON);
  const before = structuredClone(tally);
  expect(peekRequest(tally, address, LIMITS, NOON)).toMatchObject({
    refusedBy: null,
    used: 1,
    remaining: 49,
  });
  expect(tally).toEqual(before);
});

test('a tally expires on another day, once its last minute is over', () => {
  const tally = newTally();
  expect(isExpired(tally, NOON)).toBe(true);
  countRequest(tally, address, LIMITS, NEXT_MIDNIGHT - 1);
  expect(isExpired(tally, NEXT_MIDNIGHT - 1)).toBe(false);
  expect(isExpired(tally, NEXT_MIDNIGHT + MINUTE_MS - 2)).toBe(false);
  expect(isExpired(tally, NEXT_MIDNIGHT + MINUTE_MS - 1)).toBe(true);
});

/** The rule in its simplest form: every allowed request, never forgotten. */
class Model {
  readonly allowed: number[] = [];

  count(nowMs: number, dayLimit: number, minuteLimit: number) {
    const day = Math.floor(nowMs / DAY_MS);
    const usedToday = () => this.allowed.filter((at) => Math.floor(at / DAY_MS) === day).length;
    const inWindow = () => this.allowed.filter((at) => at > nowMs - MINUTE_MS);
    const refusedBy = usedToday() >= dayLimit ? 'daily' : inWindow().length >= minuteLimit ? 'minute' : null;
    if (refusedBy === null) this.allowed.push(nowMs);
    const oldest = inWindow()[0];
    return {
      ...{ refusedBy, limit: dayLimit, used: usedToday(), remaining: dayLimit - usedToday() },
      ...{ reset: ((day + 1) * DAY_MS) / 1000, resetIn: Math.ceil(((day + 1) * DAY_MS - nowMs) / 1000) },
      ...{ minuteLimit, minuteRemaining: minuteLimit - inWindow().length },
      minuteResetIn: oldest === undefined ? 0 : Math.ceil((oldest + MINUTE_MS - nowMs) / 1000),
    };
  }
}

/** Milliseconds until the next request: bursts, seconds, minute boundaries, hours, days. */
const pause = fc.oneof(
  { weight: 6, arbitrary: fc.nat(50) },
  { weight: 4, arbitrary: fc.nat(30 * SECOND_MS) },
  { weight: 2, arbitrary: fc.integer({ min: MINUTE_MS - 2, max: MINUTE_MS + 2 }) },
  { weight: 1, arbitrary: fc.nat(8 * 3_600_000) },
  { weight: 1, arbitrary: fc.integer({ min: DAY_MS - 2, max: DAY_MS + 2 }) },
);

test(`random requests over several days are counted like in the simple model, seed ${SEED}`, () => {
  const seen = { allowed: 0, daily: 0, minute: 0, days: 0 };
  fc.assert(
    fc.property(
      fc.record({ day: fc.integer({ min: 1, max: 20 }), minute: fc.integer({ min: 1, max: 8 }) }),
      fc.nat(DAY_MS),
      fc.array(pause, { minLength: 1, maxLength: 150, size: 'max' }),
      ({ day, minute }, start, pauses) => {
        const limits: Limits = { day: { address: day, user: 1, admin: 1 }, minute };
        const tally = newTally();
        const model = new Model();
        let now = NOON + start;
        for (const ms of pauses) {
          now += ms;
          const verdict = countRequest(tally, address, limits, now);
          expect(verdict).toEqual(model.count(now, day, minute));
          seen[verdict.refusedBy ?? 'allowed'] += 1;
        }
        seen.days += new Set(model.allowed.map((at) => Math.floor(at / DAY_MS))).size - 1;
      },
    ),
    { seed: SEED, numRuns: 400 },
  );
  // Each verdict occurred often; otherwise the test proves little.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(300);
});

/** A plan whose name every object has a property of. */
const odd = (limit: number): Record<string, number> => ({ ['constructor']: limit });

describe('plans', () => {
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
  ])('"%s" has %i a day and %i a minute', (plan, limit, minuteLimit) => {
    expect(countRequest(newTally(), { plan }, PLANS, NOON)).toMatchObject({ limit, minuteLimit });
    expect(countRequest(newTally(), { plan }, { ...PLANS, minute: 9 }, NOON)).toMatchObject({
      minuteLimit: 9,
    });
  });

  test('a lower plan in mid-day refuses at once, and its headers stay true', () => {
    const tally = newTally();
    for (let i = 0; i < 120; i++) countRequest(tally, { plan: 'partner' }, PLANS, NOON + i * SECOND_MS);
    const later = NOON + 2 * MINUTE_MS + 60 * SECOND_MS;
    expect(countRequest(tally, { plan: 'user' }, PLANS, later)).toMatchObject({
      ...{ refusedBy: 'daily', limit: 100, used: 120, remaining: 0 },
    });
    expect(countRequest(tally, { plan: 'partner' }, PLANS, later)).toMatchObject({
      refusedBy: null,
      used: 121,
    });
  });

  test('whatever plans follow one another, nobody gets more than the largest', () => {
    const plans = ['user', 'partner', 'admin', 'slow', 'fast'] as const;
    const limits: Limits = {
      day: { address: 50, user: 40, admin: 120, partner: 80, slow: 100, fast: 100 },
      minute: { address: 30, user: 6, admin: 10, partner: 20, slow: 3, fast: 700 },
    };
    const step = fc.record({ plan: fc.constantFrom(...plans), ms: fc.integer({ min: 0, max: 4000 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
        const tally = newTally();
        const allowed: { readonly at: number; readonly plan: string }[] = [];
        let now = NOON;
        for (const { plan, ms } of steps) {
          now += ms;
          if (countRequest(tally, { plan }, limits, now).refusedBy === null) allowed.push({ at: now, plan });
        }
        const most = (table: Limits['day'], used: readonly { readonly plan: string }[]) =>
          Math.max(0, ...used.map(({ plan }) => table[plan] ?? 0));
        expect(allowed.length).toBeLessThanOrEqual(most(limits.day, allowed));
        for (const [i, { at }] of allowed.entries()) {
          const minute = allowed.slice(i).filter((one) => one.at < at + MINUTE_MS);
          if (typeof limits.minute !== 'number')
            expect(minute.length).toBeLessThanOrEqual(most(limits.minute, minute));
        }
      }),
      { seed: SEED },
    );
  });
});
