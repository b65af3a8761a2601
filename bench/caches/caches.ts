/**
 * `npm run bench:caches [-- --posts N]`: processor time with each cache of a gateway and without it, on a generated blog
 * of N posts. docs/contributors/caches.md has the results.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatKey, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { bitmapOf } from '../../contract/bitmap.ts';
import type { KeyRecord } from '../../contract/key-record.ts';
import { parsePointer } from '../../contract/pointer.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';
import { openForReading } from '../../data/database.ts';
import { Cache } from '../../gateway/cache.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { type KeyFiles, keyCache } from '../../gateway/key-cache.ts';
import { bitsOf } from '../../gateway/listing/search.ts';
import { createEncode } from '../../gateway/node/content-coding.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import { countRequest, newTally } from '../../gateway/quota.ts';
import type { Reply } from '../../gateway/reply.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { generateBlog } from '../generate/blog.ts';
import { plantedWords } from '../generate/planted.ts';
import { markdownTable } from '../../release/markdown-table.ts';
import { median } from '../statistics.ts';

const ROUNDS = 7;
const ROUND_MS = 150;
/** More than the counter keeps in memory. */
const CALLERS = 60_000;
/** Of each of them in the last minute: the limit. */
const REQUESTS = 30;
const MB = 2 ** 20;
const PREFIX = '/api/public/v1';
const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** @param i counts up */
type Work = (i: number) => unknown;
type CacheName = 'answers' | 'matchings' | 'occurrences' | 'objects';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '10000' } } });
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
const rows: string[][] = [];
try {
  generateBlog(db, { posts: Number(values.posts), seed: 1 });
  execFileSync(process.execPath, [OFFPRINT, 'build', '--db', db, '--out', out], { stdio: 'ignore' });
  await measureLists();
  await measureHome();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(markdownTable(['cache', 'measured', 'with it, µs', 'without, µs'], rows));

async function measureLists(): Promise<void> {
  const blog = openForReading(db);
  const busiest = (sql: string) => encodeURIComponent(blog.prepare<[], string>(sql).pluck().get() ?? '');
  const category = busiest(
    'SELECT slug FROM categories c ORDER BY (SELECT count(*) FROM posts WHERE category_id = c.id) DESC',
  );
  const tag = busiest(
    'SELECT name FROM tags t ORDER BY (SELECT count(*) FROM post_tags WHERE tag_id = t.id) DESC',
  );
  blog.close();
  const both = `category=${category}&tag=${tag}`;
  const page = (i: number) => `page=${1 + (i % 20)}`;
  const search = `/posts?q=${plantedWords.common.word}`;
  const [all, answers] = [await asker(), await asker('answers')];
  const matchings = await asker('answers', 'matchings');
  const terms = await asker('answers', 'matchings', 'occurrences');
  const objects = await asker('answers', 'objects');

  const pair = (
    cache: string,
    what: string,
    on: typeof all,
    off: typeof all,
    target: (i: number) => string,
  ) =>
    compare(
      cache,
      what,
      (i) => on(target(i)),
      (i) => off(target(i)),
    );
  await pair('objects', 'the newest list', answers, objects, () => '/posts');
  await pair('answers', 'the newest list', all, answers, () => '/posts');
  await pair('answers', 'a search', all, answers, () => search);
  await pair('matchings', 'pages of two filters', answers, matchings, (i) => `/posts?${both}&${page(i)}`);
  await pair(
    ...(['matchings', 'pages of a category by views', answers, matchings] as const),
    (i) => `/posts?category=${category}&sort=popular&${page(i)}`,
  );
  await pair('matchings', 'pages of a search', answers, matchings, (i) => `${search}&${page(i)}`);
  await pair('occurrences', 'a search', matchings, terms, (i) => `${search}&${page(i)}`);
  await pair(
    'occurrences',
    'a search in two filters',
    matchings,
    terms,
    (i) => `${search}&${both}&${page(i)}`,
  );
  await compare(
    ...(['queries', 'a list with two filters'] as const),
    () => all(`/posts?${both}`),
    (i) => all(`/posts?${both}&unknown=${i}`),
  );

  const snapshot = await open();
  const [, name = ''] = (await snapshot.find('in_category', decodeURIComponent(category))) ?? [];
  const { positions } = await snapshot.read('set', name);
  await compare(
    ...(['bitmaps of sets', `a set of ${positions.length} posts`] as const),
    () => bitsOf(positions),
    () => bitmapOf(positions),
  );
}

async function measureHome(): Promise<void> {
  const key = formatKey(new Uint8Array(RANDOM_CHARACTERS));
  const path = join(folder, 'key.json');
  const record: KeyRecord = {
    ...{ prefix: key.slice(0, 12), account: 'ada', role: 'user', name: 'site', scopes: [], revoked: false },
  };
  writeFileSync(path, JSON.stringify(record));
  const files: KeyFiles = {
    hashOf: (text) => hash('sha256', text, 'hex'),
    read: () => readFileSync(path, 'utf8'),
  };
  const keys = keyCache(files, 60_000);
  const absences = keyCache({ ...files, read: () => readOrNull(join(folder, 'none.json')) }, 60_000);
  const pairs = [
    ['keys', 'a key, on one machine', keys],
    ['absent keys', 'an unknown key, on one machine', absences],
  ] as const;
  for (const [cache, what, { find }] of pairs) {
    await compare(
      ...([cache, what] as const),
      () => find(key),
      (i) => find(`${key}${i}`),
    );
  }

  const quotas = new SqliteQuotaCounter(join(folder, 'quota.db'), Date.now);
  const caller = (i: number) => ({ id: `address:${i % CALLERS}`, kind: 'address' }) as const;
  for (let i = 0; i < CALLERS * REQUESTS; i++) quotas.count(caller(i), DEFAULT_LIMITS);
  await new Promise((resolve) => quotas.whenSaved(resolve));
  await compare(
    ...(['counts', 'a caller at its limit'] as const),
    () => quotas.peek(caller(0), DEFAULT_LIMITS),
    (i) => quotas.peek(caller(i), DEFAULT_LIMITS),
  );
  quotas.close();

  const ask = await asker();
  const [encode, encodeAgain] = [createEncode(16 * MB), createEncode(1)];
  const list = await ask('/posts');
  await compare(
    ...(['encoded bodies', `a list of ${list.body?.length} bytes`] as const),
    () => encode(list, 'br'),
    () => encodeAgain(list, 'br'),
  );
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function open(...off: readonly CacheName[]): Promise<Snapshot> {
  const store = new DiskSnapshotStore(out);
  const { snapshot: id } = parsePointer(await store.readPointer());
  const objects = new Objects(store, off.includes('objects') ? 2 : 40 * MB);
  const snapshot = new Snapshot(id, await objects.read('directory', id), objects, 24 * MB);
  for (const name of off) if (name !== 'objects') Object.assign(snapshot, { [name]: new Cache(1, () => 1) });
  return snapshot;
}

/** Asks the core without the caches that are named. */
async function asker(...off: readonly CacheName[]): Promise<(target: string) => Promise<Reply> | Reply> {
  const snapshot = await open(...off);
  const tally = newTally();
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) => {
    tally.times.length = tally.counts.length = 0;
    return countRequest(
      tally,
      principal,
      { day: { address: 1e12, user: 1, admin: 1 }, minute: 1e12 },
      Date.now(),
    );
  };
  const gateway = new Gateway({ find: () => null }, { count, peek: count }, { failed: console.error });
  return (target) =>
    gateway.handle(
      {
        ...{ method: 'GET', target: PREFIX + target },
        header: () => undefined,
        addressId: () => 'address:bench',
      },
      snapshot,
    );
}

/** Adds a row: the medians of both in microseconds of processor time, measured in turn. */
async function compare(cache: string, measured: string, on: Work, off: Work): Promise<void> {
  const times: [number[], number[]] = [[], []];
  let i = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [which, work] of [on, off].entries()) {
      const start = process.cpuUsage();
      const until = performance.now() + ROUND_MS;
      let calls = 0;
      for (; performance.now() < until; calls++) {
        const done = work(i++);
        if (done instanceof Promise) await done;
      }
      const { user, system } = process.cpuUsage(start);
      if (round > 0) times[which]?.push((user + system) / calls); // The first round warms up.
    }
  }
  const shown = times.map((list) => median(list).toPrecision(3));
  rows.push([cache, measured, ...shown]);
  console.error(`${cache}, ${measured}: ${shown.join(' with it, ')} without`);
}
