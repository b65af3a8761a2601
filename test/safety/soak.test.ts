/**
 * `npm run bench:soak` for some seconds instead of twenty minutes.
 */
import { expect, it, onTestFinished } from 'vitest';
import { makeServedBlog } from './served-blog.ts';
import { soak } from './soak.ts';

it('answers correctly and counts exactly while posts and keys are added and removed', async () => {
  const blog = await makeServedBlog(100);
  onTestFinished(() => blog.remove());
  // A busy machine needs longer to publish; the pauses leave time for that.
  const { faults, ...figures } = await soak(blog, {
    ...{ seconds: 300, seed: 3, pauseMs: 20 },
    isEnough: ({ requests, seen, keysRevoked }) => requests >= 500 && seen >= 3 && keysRevoked >= 1,
  });
  expect(faults).toEqual([]);
  expect(figures.requests).toBeGreaterThanOrEqual(500);
  expect(figures.seen).toBeGreaterThanOrEqual(3);
  expect(figures.keysRevoked).toBeGreaterThanOrEqual(1);
});
