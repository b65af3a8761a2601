/** Some seconds of what `npm run bench:soak` does for twenty minutes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';
import { soak } from './soak.ts';

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(300);
});
afterAll(() => blog.remove());

it('answers rightly and counts exactly while posts and keys come and go', async () => {
  const { faults, requests, seen, keysRevoked } = await soak(blog, { seconds: 15, seed: 3 });
  expect(faults).toEqual([]);
  expect(requests).toBeGreaterThan(500);
  expect(seen).toBeGreaterThan(1);
  expect(keysRevoked).toBeGreaterThan(0);
});
