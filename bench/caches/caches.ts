/**
 * `npm run bench:caches [-- --posts N]`: processor time with each cache of a gateway and without it, on a generated blog
 * of N posts. CACHES.md has the results.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { bitmapOf } from '../../contract/bitmap.ts';
import type { KeyRecord } from '../../contract/key-record.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';
import { openForReading } from '../../data/database.ts';
import { type KeyFile, keyCache } from '../../gateway/key-cache.ts';
import { bitsOf } from '../../gateway/listing/search.ts';
import { createEncode } from '../../gateway/node/content-coding.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import type { MaybePromise } from '../../gateway/maybe-promise.ts';
import type { Reply } from '../../gateway/reply.ts';
import { coreAsker, openSnapshot } from '../ask-core.ts';
import { temporaryFolder } from '../folder.ts';
import { plantedWords } from '../generate/planted.ts';
import { buildBlog, makeBlog } from '../offprint.ts';
import { optionsOf } from '../options.ts';
import { mostUsed } from '../queries/requests.ts';
import { markdownTable } from '../../release/markdown-table.ts';
import { median } from '../statistics.ts';

const ROUNDS = 7;
const ROUND_MS = 150;
/** More than the counter keeps in memory. */
const CALLERS = 60_000;
/** Of each of them in the last minute: the limit. */
const REQUESTS = 30;
const MB = 2 ** 20;

/** @param i counts up */
type Work = (i: number) => unknown;
type CacheName = 'answers' | 'matchings' | 'occurrences' | 'objects';

const { posts } = optionsOf('npm run bench:caches', { posts: [10_000, 1000] });
const folder = temporaryFolder();
const blog = makeBlog(folder, posts);
await buildBlog(blog);
const rows: string[][] = [];
await measureLists();
await measureHome();
console.log(markdownTable(['cache', 'measured', 'with it, µs', 'without, µs'], rows));

async function measureLists(): Promise<void> {
  const db = openForReading(blog.db);
  const [category, tag] = [mostUsed(db, 'category'), mostUsed(db, 'tag')];
  db.close();
  const both = new URLSearchParams({ category, tag }).toString();
  const search = `q=${plantedWords.common.word}`;
  const [all, answers] = [await asker(), await asker('answers')];
  const matchings = await asker('answers', 'matchings');
  const terms = await asker('answers', 'matchings', 'occurrences');
  const objects = await asker('answers', 'objects');
  const page = (query: string) => (i: number) => `${query}&page=${1 + (i % 20)}`;

  const measured: readonly [CacheName, string, typeof all, typeof all, (i: number) => string][] = [
    ['objects', 'the newest list', answers, objects, () => ''],
    ['answers', 'the newest list', all, answers, () => ''],
    ['answers', 'a search', all, answers, () => search],
    ['matchings', 'pages of two filters', answers, matchings, page(both)],
    [
      ...(['matchings', 'pages of a category by views', answers, matchings] as const),
      page(`${new URLSearchParams({ category }).toString()}&sort=popular`),
    ],
    ['matchings', 'pages of a search', answers, matchings, page(search)],
    ['occurrences', 'a search', matchings, terms, page(search)],
    ['occurrences', 'a search in two filters', matchings, terms, page(`${search}&${both}`)],
  ];
  for (const [cache, what, on, off, query] of measured) {
    await compare(
      cache,
      what,
      (i) => on(query(i)),
      (i) => off(query(i)),
    );
  }
  const unknown = (i: number) => all(`${both}&unknown=${i}`);
  await compare('queries', 'a list with two filters', () => all(both), unknown);

  const snapshot = await openSnapshot(new DiskSnapshotStore(blog.out), 40 * MB);
  const [, name = ''] = (await snapshot.find('in_category', category)) ?? [];
  const { positions } = await snapshot.read('set', name);
  const what = `a set of ${positions.length} posts`;
  await compare(
    'bitmaps of sets',
    what,
    () => bitsOf(positions),
    () => bitmapOf(positions),
  );
}

async function measureHome(): Promise<void> {
  const key = formatKey(new Uint8Array(RANDOM_CHARACTERS));
  const path = join(folder, 'key.json');
  const scopes: KeyRecord['scopes'] = [];
  const names = { prefix: key.slice(0, 12), account: 'ada', name: 'site' };
  const record: KeyRecord = { ...names, plan: 'user', scopes, revoked: false };
  writeFileSync(path, JSON.stringify(record));
  const finding = (file: string) =>
    keyCache({ hashOf: (text) => hash('sha256', text, 'hex'), read: () => readOrNull(file) }, 60_000).find;
  const [keys, absences] = [finding(path), finding(join(folder, 'none.json'))];
  const other = (i: number) => `${key}${i}`;
  await compare(
    'keys',
    'a key, on one machine',
    () => keys(key),
    (i) => keys(other(i)),
  );
  await compare(
    'absent keys',
    'an unknown key, on one machine',
    () => absences(key),
    (i) => absences(other(i)),
  );

  const quotas = new SqliteQuotaCounter(join(folder, 'quota.db'), Date.now);
  const caller = (i: number) => ({ id: `address:${i % CALLERS}`, plan: 'address' }) as const;
  for (let i = 0; i < CALLERS * REQUESTS; i++) quotas.count(caller(i), DEFAULT_LIMITS);
  await new Promise((resolve) => quotas.whenSaved(resolve));
  const peek = (i: number) => quotas.peek(caller(i), DEFAULT_LIMITS);
  await compare('counts', 'a caller at its limit', () => peek(0), peek);
  quotas.close();

  const list = await (await asker())('');
  const [encode, encodeAgain] = [createEncode(16 * MB), createEncode(1)];
  const what = `a list of ${list.body?.length} bytes`;
  await compare(
    'encoded bodies',
    what,
    () => encode(list, 'br'),
    () => encodeAgain(list, 'br'),
  );
}

function readOrNull(path: string): KeyFile | null {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch {
    return null;
  }
}

/** Asks the core for lists, by their query, without the caches that are named. */
async function asker(...off: readonly CacheName[]): Promise<(query: string) => MaybePromise<Reply>> {
  const others = off.filter((name) => name !== 'objects');
  const objectBytes = off.includes('objects') ? 2 : 40 * MB;
  const snapshot = await openSnapshot(new DiskSnapshotStore(blog.out), objectBytes, ...others);
  const ask = coreAsker();
  return (query) => ask(snapshot, query);
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
