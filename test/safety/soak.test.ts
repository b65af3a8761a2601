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
  let requests = 0;
  let published = 0;
  let keysRevoked = 0;
  // A busy machine publishes little in a quarter of a minute.
  for (let seed = 3; requests < 500 || published === 0 || keysRevoked === 0; seed++) {
    const report = await soak(blog, { seconds: 15, seed });
    expect(report.faults).toEqual([]);
    requests += report.requests;
    published += report.seen - 1;
    keysRevoked += report.keysRevoked;
  }
});
