/**
 * The numbers in docs/operators/cost.md and bench/COST.md equal those that usage and prices give.
 */
import { describe, expect, it } from 'vitest';
import { billFor } from '../../bench/cost/bill.ts';
import { LOOKED_UP } from '../../bench/cost/prices.ts';
import { countsOfDay } from '../../bench/cost/counts-of-day.ts';
import { MONTHS, tables, VARIATIONS } from '../../bench/cost/tables.ts';
import { COUNTS, GUESSES, usageOf } from '../../bench/cost/usage.ts';
import { read, section, tableRows } from './documents.ts';

/** What an operator reads first, and what is behind it. */
const page = read('docs/operators/cost.md') + read('bench/COST.md');

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

it('the bill of 10 million requests is that of docs/operators/deploy-cloudflare.md', () => {
  const names = ['as above', 'these at 200 places, or without a domain of your own'];
  const [least = NaN, most = NaN] = names.map((name) => {
    const traffic = VARIATIONS[name];
    return traffic === undefined ? NaN : billFor(usageOf(traffic)).total;
  });
  expect(read('docs/operators/deploy-cloudflare.md')).toContain(
    `${Math.floor(least)} to ${Math.ceil(most)} dollars a month for 10 million requests`,
  );
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
