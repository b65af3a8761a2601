import { expect, test } from 'vitest';
import { cases, IS_LONG, LONG_MS, SEED } from '../random-cases.ts';
import { killBuilds } from './killed-builds.ts';
import { temporaryFolder } from './temporary-folder.ts';

const TIMES = cases(2, 200);
const POSTS = IS_LONG ? 500 : 130;

test(`killed builds leave the published blog complete, and do not affect the next build (seed ${SEED})`, async () => {
  const figures = await killBuilds({
    ...{ folder: temporaryFolder(), posts: POSTS, times: TIMES, seed: SEED, ms: LONG_MS },
  });
  const { faults, ...counts } = figures;
  if (IS_LONG) console.log(counts);
  expect(faults).toEqual([]);
  if (!IS_LONG) expect(figures.rounds).toBeGreaterThanOrEqual(TIMES);
  expect(figures.killed, 'builds that the kill met').toBeGreaterThan(0);
  expect(figures.lists).toBeGreaterThan(figures.rounds);
  expect(figures.articles).toBeGreaterThan(figures.lists);
});
