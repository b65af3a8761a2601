import { expect, onTestFailed, test } from 'vitest';
import { killBuilds } from './killed-builds.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

// `node bench/crash/crash.ts` does the same 200 times.
test('builds that are killed leave the blog whole, and the next one as if nothing had been', async () => {
  onTestFailed(() => console.error(`CRASH_SEED=${SEED}`));
  const figures = await killBuilds({ folder: temporaryFolder(), posts: 160, times: 9, seed: SEED });
  expect(figures.faults).toEqual([]);
  expect(figures.rounds).toBe(9);
  expect(figures.killed, 'builds that the kill met').toBeGreaterThan(0);
  expect(figures.lists).toBeGreaterThan(9);
  expect(figures.articles).toBeGreaterThan(figures.lists);
});
