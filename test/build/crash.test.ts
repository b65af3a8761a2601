import { expect, onTestFailed, test } from 'vitest';
import { cases } from '../random-cases.ts';
import { killBuilds } from './killed-builds.ts';
import { temporaryFolder } from './temporary-folder.ts';

const TIMES = cases(2);
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

// `node bench/crash/crash.ts` repeats this 200 times.
test('killed builds leave the published blog complete, and do not affect the next build', async () => {
  onTestFailed(() => console.error(`CRASH_SEED=${SEED}`));
  const figures = await killBuilds({ folder: temporaryFolder(), posts: 130, times: TIMES, seed: SEED });
  expect(figures.faults).toEqual([]);
  expect(figures.rounds).toBeGreaterThanOrEqual(TIMES);
  expect(figures.killed, 'builds that the kill met').toBeGreaterThan(0);
  expect(figures.lists).toBeGreaterThan(TIMES);
  expect(figures.articles).toBeGreaterThan(figures.lists);
});
