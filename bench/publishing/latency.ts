import { Pool } from 'undici';
import { PREFIX } from '../../contract/api.ts';
import { touchEveryPost } from '../generate/changes.ts';
import { type BlogFiles, COMMAND, editBlog } from '../offprint.ts';
import { Processes } from '../processes.ts';
import { quantile } from '../statistics.ts';

const PATHS = [
  ...['/posts', '/posts?page=20', '/tags', '/categories', '/authors'],
  '/posts?per_page=50&sort=popular',
];

/** Parallel clients, and the pause between their requests: a busy blog, far below the gateway's maximum. */
const CLIENTS = 4;
const PAUSE_MS = 4;
const IDLE_MS = 4000;
const BUILD_MAX_MS = 120_000;

/**
 * The 99th percentile of the latency of a running `start` in milliseconds, idle and while it rebuilds every post on
 * its own.
 *
 * @param blog already built
 */
export async function measureLatency(blog: BlogFiles): Promise<{ idle: number; building: number }> {
  const server = await new Processes().serve([
    ...[...COMMAND, 'start', ...blog.options, '--port', '0', '--cron', '* * * * * *'],
  ]);
  try {
    const published = () => server.output().split('published').length;
    await load(server.url, () => false, 1000); // Warm-up.
    const idle = await load(server.url, () => false, IDLE_MS);
    const before = published();
    editBlog(blog, (open) => touchEveryPost(open, 1));
    const building = await load(server.url, () => published() > before, BUILD_MAX_MS);
    return { idle, building };
  } finally {
    await server.stop();
  }
}

/** Sends requests until `done`, or for this many milliseconds. @returns the 99th percentile of the latency */
async function load(url: string, done: () => boolean, ms: number): Promise<number> {
  const pool = new Pool(url, { connections: CLIENTS });
  const times: number[] = [];
  const end = performance.now() + ms;
  async function client(offset: number): Promise<void> {
    for (let i = offset; performance.now() < end && !done(); i++) {
      const started = performance.now();
      const path = `${PREFIX}${PATHS[i % PATHS.length]}`;
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.arrayBuffer();
      times.push(performance.now() - started);
      if (statusCode !== 200) throw new Error(`The gateway answered ${statusCode}.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  await pool.close();
  return quantile(times, 0.99);
}
