/**
 * Mixed traffic for minutes on a service that rebuilds every few seconds: `node bench/soak/soak.ts [--minutes 20]
 * [--posts 2000] [--seed N]`. Traffic and checks are in test/safety/soak.ts, which `npm test` runs for some
 * seconds.
 */
import { parseArgs } from 'node:util';
import { makeServedBlog } from '../../test/safety/served-blog.ts';
import { soak } from '../../test/safety/soak.ts';
import { median } from '../median.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    posts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [minutes, posts, seed] = [Number(values.minutes), Number(values.posts), Number(values.seed)];
/** Memory growth above this, from the second quarter of the run to the last, is reported as a leak. */
const GROWTH_MAX = 0.1;

const blog = await makeServedBlog(posts);
try {
  const { requests, statuses, seen, editions, keysRevoked, revokedAfter, memory, faults } = await soak(blog, {
    seconds: minutes * 60,
    seed,
  });
  const quarter = Math.floor(memory.length / 4);
  const [warm, last] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  const growth = last / warm - 1;
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(
    [
      `${minutes} minutes on a blog of ${posts} posts (seed ${seed}):`,
      `  ${requests} requests, ${Math.round(requests / minutes / 60)} a second (${byStatus.join(', ')})`,
      `  ${editions} edits, of which clients saw ${seen} published; ${keysRevoked} keys made and revoked, ` +
        `the slowest after ${revokedAfter.toFixed(1)} s`,
      `  memory of the service: ${warm.toFixed(0)} MB in the second quarter, ${last.toFixed(0)} MB in the last ` +
        `(${(growth * 100).toFixed(1)} %), at most ${Math.max(...memory).toFixed(0)} MB`,
      `  ${faults.length} faults`,
      ...faults.map((fault) => `    ${fault}`),
    ].join('\n'),
  );
  if (faults.length > 0 || growth > GROWTH_MAX) process.exitCode = 1;
} finally {
  blog.remove();
}
