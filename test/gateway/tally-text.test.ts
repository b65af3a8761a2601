import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDays, formatDays, formatLog, parseLog } from '../../gateway/tally-text.ts';
import { SEED } from '../random-cases.ts';

const time = fc.integer({ min: 0, max: 2 ** 42 });
const count = fc.integer({ min: 1, max: 2 ** 31 - 1 });

test('a log and days are read as they were written', () => {
  const entries = fc.array(fc.tuple(time, count));
  fc.assert(
    fc.property(entries, (pairs) => {
      const sorted = pairs.sort(([a], [b]) => a - b);
      const log = { times: sorted.map(([at]) => at), counts: sorted.map(([, of]) => of) };
      expect(parseLog(formatLog(log))).toEqual(log);
      const days = pairs.map(([day, used]) => ({ day, used }));
      expect(parseDays(formatDays(days))).toEqual(days);
    }),
    { seed: SEED },
  );
});

test.each([
  ['', [], []],
  ['0', [0], [1]],
  ['5*3 0 7', [5, 5, 12], [3, 1, 1]],
])('"%s"', (text, times, counts) => {
  expect(parseLog(text)).toEqual({ times, counts });
});
