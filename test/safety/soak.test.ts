/** Mixed traffic for seconds in `npm test`, for minutes in `npm run test:long`. */
import { expect, it } from 'vitest';
import { median } from '../../bench/statistics.ts';
import { IS_LONG, LONG_MS, SEED } from '../random-cases.ts';
import { makeServedBlog } from './served-blog.ts';
import { soak } from './soak.ts';

const MIN_MS = IS_LONG ? LONG_MS : 0;
const POSTS = IS_LONG ? 2000 : 100;
/** Growth of memory from the second quarter of a long run to the last: more is a leak. */
const GROWTH_MAX = 0.1;
/** In a shorter run the memory still grows. */
const GROWTH_MIN_MS = 5 * 60_000;

it(`answers correctly and counts exactly while posts are edited, added and removed (seed ${SEED})`, async () => {
  const blog = await makeServedBlog(POSTS);
  const start = performance.now();
  // A busy machine needs longer to publish; the pauses leave time for that.
  const { faults, memory, ...figures } = await soak(
    blog,
    300 + MIN_MS / 1000,
    IS_LONG ? 0 : 20,
    ({ requests, seen }) => performance.now() - start >= MIN_MS && requests >= 500 && seen >= 3,
  );
  const quarter = Math.floor(memory.length / 4);
  const [warm, last] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  if (IS_LONG) console.log({ ...figures, memory: { warm, last, most: Math.max(...memory) } });
  expect(faults).toEqual([]);
  expect(figures.requests).toBeGreaterThanOrEqual(500);
  expect(figures.seen).toBeGreaterThanOrEqual(3);
  if (IS_LONG && LONG_MS >= GROWTH_MIN_MS)
    expect(last / warm - 1, 'growth of memory').toBeLessThan(GROWTH_MAX);
});
