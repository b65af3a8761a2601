import { expect, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { publish } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

/** Within the limits for articles, but more than the memory of a build thread allows. */
const LARGE = `<p>${'& '.repeat(990_000)}</p>`;

test('an article that is too large for a build thread is still published', async () => {
  const { db, out } = blogPaths();
  generateBlog(db, { posts: 130, seed: 1, body: (number) => (number === 60 ? LARGE : '<p>Short</p>') });
  const { posts, skipped } = await publish(db, out, { threads: true });
  expect(skipped).toEqual([]);
  expect(posts).toBeGreaterThan(100);
});
