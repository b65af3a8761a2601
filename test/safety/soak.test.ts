/** Some seconds of what `npm run bench:soak` does for twenty minutes. */
import { expect, it, onTestFinished } from 'vitest';
import { makeServedBlog } from './served-blog.ts';
import { soak } from './soak.ts';

it('answers rightly and counts exactly while posts and keys come and go', async () => {
  let requests = 0;
  let published = 0;
  let keysRevoked = 0;
  // A busy machine publishes little in some seconds.
  for (let seed = 3; requests < 500 || published === 0 || keysRevoked === 0; seed++) {
    const blog = await makeServedBlog(100);
    onTestFinished(() => blog.remove());
    const report = await soak(blog, { seconds: 7, seed });
    expect(report.faults).toEqual([]);
    requests += report.requests;
    published += report.seen - 1;
    keysRevoked += report.keysRevoked;
  }
});
