import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { openForWriting } from '../../data/database.ts';
import { generateBlog } from '../generate/blog.ts';
import { touchEveryPost } from '../generate/changes.ts';
import { quantile } from '../median.ts';

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));
const PATHS = [
  '/posts',
  '/posts?page=20',
  '/tags',
  '/categories',
  '/authors',
  '/posts?per_page=50&sort=popular',
];

/** Parallel clients, and the pause between their requests: a busy blog, far below the gateway's maximum. */
const CLIENTS = 4;
const PAUSE_MS = 4;
const IDLE_MS = 4000;

export interface Latency {
  readonly requests: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * The latency of a running `start`, idle and while it rebuilds every post of a blog on its own.
 *
 * @param folder for the database and the output; created here
 */
export async function measureLatency(
  folder: string,
  posts: number,
): Promise<{ idle: Latency; building: Latency }> {
  mkdirSync(folder, { recursive: true });
  const [db, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const limits = { day: { address: 1e9, user: 1e9, admin: 1e9 }, minute: 1e9 };
  writeFileSync(config, JSON.stringify({ limits }));
  generateBlog(db, { posts, seed: 2 });
  const options = ['--db', db, '--out', out, '--config', config];
  execFileSync(process.execPath, [OFFPRINT, 'build', ...options], { stdio: 'ignore' });

  const child = spawn(
    process.execPath,
    [OFFPRINT, 'start', ...options, '--port', '0', '--cron', '* * * * * *'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    const url = await until(() => /http:\/\/[\d.]+:\d+/.exec(printed)?.[0]);
    await load(url, () => false, 1000); // Warm-up.
    const idle = await load(url, () => false, IDLE_MS);
    const before = published(printed);
    const open = openForWriting(db);
    touchEveryPost(open, 1);
    open.close();
    const building = await load(url, () => published(printed) > before, 120_000);
    return { idle, building };
  } finally {
    child.kill('SIGINT');
  }
}

function published(printed: string): number {
  return printed.split('published').length;
}

/** Sends requests until `done`, or for this many milliseconds. */
async function load(url: string, done: () => boolean, ms: number): Promise<Latency> {
  const pool = new Pool(url, { connections: CLIENTS });
  const times: number[] = [];
  const end = performance.now() + ms;
  async function client(offset: number): Promise<void> {
    for (let i = offset; performance.now() < end && !done(); i++) {
      const started = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/api/public/v1${PATHS[i % PATHS.length]}`,
      });
      await body.arrayBuffer();
      times.push(performance.now() - started);
      if (statusCode !== 200) throw new Error(`The gateway answered ${statusCode}.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  await pool.close();
  return { requests: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The gateway did not start within a minute.');
}
