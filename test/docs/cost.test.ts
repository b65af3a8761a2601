/**
 * The numbers in docs/operators/cost.md and bench/COST.md equal those that usage and prices give.
 */
import { describe, expect, it } from 'vitest';
import { billFor } from '../../bench/cost/bill.ts';
import { LOOKED_UP, SUBSCRIPTION } from '../../bench/cost/prices.ts';
import { countsOfDay } from '../../bench/cost/counts-of-day.ts';
import { BURSTS, MONTHS, tables, VARIATIONS, WAYS } from '../../bench/cost/tables.ts';
import { bucketReads, COUNTS, GUESSES, usageOf } from '../../bench/cost/usage.ts';
import { read, section, tableRows } from './documents.ts';

/** What an operator reads first, and what is behind it. */
const page = read('docs/operators/cost.md') + read('bench/COST.md');
const NOTHING = usageOf({ ...MONTHS['10 million'], requests: 0, publishes: 0, isolates: 1e-9 });

describe('docs/operators/cost.md and bench/COST.md', () => {
  const { floods, ...others } = tables();
  it.each(Object.entries(others))('have the table of %s that "npm run bench:cost" prints', (_, table) => {
    expect(page).toContain(`\n\n${table}\n`);
  });

  it('leave the table of floods to its page', () => {
    expect(read('docs/operators/floods.md')).toContain(`\n\n${floods}\n`);
  });

  it('name the date of the prices, and what is counted and estimated', () => {
    expect(page).toContain(LOOKED_UP);
    const { cpuMs, objectMs, readsUntilWarm } = GUESSES;
    for (const text of [
      `${COUNTS.publish.puts} files`,
      `at most ${COUNTS.exportedFiles} files`,
      `every ${COUNTS.pointerSeconds} seconds`,
      `${cpuMs} ms of processor time`,
      `awake for ${objectMs} ms`,
      `${readsUntilWarm} objects`,
    ]) {
      expect(page).toContain(text);
    }
  });
});

describe('the free plan', () => {
  const EACH = 100_000;

  it('covers the number of requests in its rows and calls, by requests of each caller', () => {
    const table = tableRows(section('docs/operators/cost.md', '## The free plan'));
    expect(table.length).toBeGreaterThan(3);
    for (const [requests, ...covered] of table) {
      const perPrincipalDay = Number(requests);
      const expected = [COUNTS.burst.requests, 1].map((burst) => {
        const { rows, settled } = countsOfDay({ ...MONTHS['1 million'], burst, perPrincipalDay });
        const day = COUNTS.principalDay;
        const most = Math.max(rows + day.rowsWritten, perPrincipalDay + settled + day.objectRequests);
        return `${Math.floor((EACH * perPrincipalDay) / most / 1000)},000`;
      });
      expect(covered).toEqual(expected);
    }
  });
});

describe('a bill', () => {
  it.each([
    ['limits', 60],
    ['no limits', 40],
    ['plain files in R2, behind the CDN', 6],
  ])('of 100 million requests with %s is at most %i dollars', (way, dollars) => {
    expect(WAYS[way]?.(MONTHS['100 million'])).toBeLessThanOrEqual(dollars);
  });

  it('of 100 million requests is at most 340 dollars if each caller asks once a day', () => {
    const traffic = BURSTS['each caller once a day'];
    expect(traffic && billFor(usageOf(traffic)).total).toBeLessThanOrEqual(340);
  });

  it('of 10 million requests is what the guide says, with a domain and without one', () => {
    const totals = ['as above', 'these at 200 places, or without a domain of your own'].map((name) => {
      const traffic = VARIATIONS[name];
      return traffic === undefined ? NaN : billFor(usageOf(traffic)).total;
    });
    const [least = NaN, most = NaN] = totals;
    expect(read('docs/operators/deploy-cloudflare.md')).toContain(
      `${Math.floor(least)} to ${Math.ceil(most)} dollars a month for 10 million requests`,
    );
  });

  it('without usage is the subscription', () => {
    expect(billFor({ ...NOTHING, bucketGb: 0 }).total).toBe(SUBSCRIPTION);
  });

  it('charges usage above the included amounts, and R2 in whole units', () => {
    const bill = (more: Partial<typeof NOTHING>) => billFor({ ...NOTHING, ...more }).total - SUBSCRIPTION;
    expect(bill({ requests: 10e6 })).toBe(0);
    expect(bill({ requests: 15e6 })).toBeCloseTo(1.5);
    expect(bill({ cpuMs: 105e6 })).toBeCloseTo(1.5); // From the example on Cloudflare's page: 15 million × 7 ms.
    expect(bill({ classB: 10e6 })).toBe(0);
    expect(bill({ classB: 10e6 + 1 })).toBeCloseTo(0.36);
    expect(bill({ classB: 300e6 })).toBeCloseTo(104.4); // From the example "Asset hosting".
    expect(bill({ bucketGb: 1000 })).toBeCloseTo(14.85); // From the example "Standard storage".
  });

  it('grows with every assumption that the variations worsen', () => {
    const [usual = 0, ...worse] = Object.values(VARIATIONS).map((traffic) => billFor(usageOf(traffic)).total);
    for (const total of worse) expect(total).toBeGreaterThanOrEqual(usual);
    expect(Math.max(...worse)).toBe(worse.at(-1));
  });
});

describe('reads of the pointer', () => {
  const pointer = (requests: number, places: number) =>
    bucketReads({ ...MONTHS['10 million'], requests, places }).pointer;

  it('are never more than the requests, nor more than one in five seconds at each location', () => {
    for (const [requests, places] of [
      [1e3, 1],
      [1e6, 5],
      [1e7, 20],
      [1e9, 3],
    ] as const) {
      expect(pointer(requests, places)).toBeLessThanOrEqual(requests);
      expect(pointer(requests, places)).toBeLessThanOrEqual((places * 30 * 86_400) / 5);
    }
  });

  it('match those of requests at random times', () => {
    // One location, a request every four seconds on average, for a month.
    const requests = 648_000;
    let [reads, time, readAt] = [0, 0, -Infinity];
    let state = 1;
    for (let i = 0; i < requests; i++) {
      state = (state * 48_271) % 2_147_483_647;
      time -= Math.log(state / 2_147_483_647) * 4;
      if (time - readAt < COUNTS.pointerSeconds) continue;
      readAt = time;
      reads += 1;
    }
    expect(reads / pointer(requests, 1)).toBeCloseTo(1, 2);
  });
});

describe('bursts', () => {
  const rowsOf = (burst: number) => countsOfDay({ ...MONTHS['1 million'], burst, perPrincipalDay: burst });

  it('write the rows that are counted', () => {
    const { requests, rowsWritten, settled } = COUNTS.burst;
    expect(rowsOf(requests)).toEqual({ rows: rowsWritten, settled: 0 });
    expect(rowsOf(2)).toEqual({ rows: rowsWritten + settled.rowsWritten, settled: settled.objectRequests });
    expect(rowsOf(1)).toEqual({ rows: COUNTS.request.rowsWritten, settled: 0 });
  });
});
