/**
 * Costs of requests at Cloudflare, counted in workerd: the numbers in bench/COST.md.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { COUNTS } from '../../../bench/cost/usage.ts';
import { shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { AHEAD_MAX, PAUSE_MS } from '../../../gateway/worker/burst.ts';
import { directoryOf, namesOf, pointerOf } from '../../build/output.ts';
import { freshAddress } from '../../conformance/caller.ts';
import { quotaOf } from '../../conformance/fields.ts';
import { send } from '../../service/client.ts';
import { openOracle } from '../../oracle/oracle.ts';
import { serveWatched, type WatchedWorker } from '../watched-worker.ts';
import type { Counts } from '../watching.ts';

const POSTS = 400;
const MINUTE_MS = 60_000;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker: WatchedWorker;
let key = '';
let paths: Record<string, string> = {};
const folder = folderUntil(afterAll);

beforeAll(async () => {
  const db = join(folder, 'blog.db');
  shortBlog(db, POSTS, 5);
  const day = { address: 10_000, user: 100_000, admin: 100_000 };
  worker = await serveWatched({ name: 'counted', db }, { limits: { day, minute: 5000 } });
  [key = ''] = await worker.makeKeys(['counted']);
  await worker.get('/me', { key }); // The first request of a day writes more.
  paths = somePaths(db);
});
afterAll(() => worker.service.close());

/** A path for each kind of answer. */
function somePaths(db: string): Record<string, string> {
  const oracle = openOracle(db);
  const first = (sql: string) => encodeURIComponent(oracle.strings(`${sql} LIMIT 1`)[0] ?? '');
  const author = first('SELECT username FROM authors');
  const some = {
    overview: '',
    me: '/me',
    'newest posts': '/posts',
    'oldest posts': '/posts?sort=old',
    'popular posts': '/posts?sort=popular',
    category: `/posts?category=${first('SELECT slug FROM categories')}`,
    tag: `/posts?tag=${first('SELECT slug FROM tags')}`,
    author: `/posts?author=${author}`,
    search: '/posts?q=the',
    article: `/posts/${first("SELECT slug FROM posts WHERE status = 'published'")}`,
    categories: '/categories',
    tags: '/tags',
    authors: '/authors',
    'one author': `/authors/${author}`,
  };
  oracle.close();
  return some;
}

/** What each object of the snapshot is. */
function partsOf(out: string): ReadonlyMap<string, string> {
  const { overview, categories, tags, files, names, ...lists } = directoryOf(out);
  const parts: readonly (readonly [part: string, hashes: readonly string[]])[] = [
    ['directory', [pointerOf(out).snapshot]],
    ['page', lists.pages],
    ['views', lists.views],
    ['popular', lists.popular],
    ['suffixes', lists.suffixes.map(([, hash]) => hash)],
    ['authors', lists.author_pages],
    ...Object.entries({ overview, categories, tags }).map(([part, hash]) => [part, [hash]] as const),
    ['file', files.map(({ hash }) => hash)],
    ...Object.entries(names).map(([table, entries]) => {
      const part = table === 'post' || table === 'author' ? table : 'set';
      return [part, namesOf(out, entries).map(([, hash]) => hash)] as const;
    }),
  ];
  return new Map(parts.flatMap(([part, hashes]) => hashes.map((hash) => [hash, part] as const)));
}

/** The reads by kind: `pointer` (with the pack next to it), `key`, `pack`, and parts of the snapshot. */
const kindsIn = ({ keys }: Counts) => {
  const parts = partsOf(worker.service.out);
  return keys.map((name) => {
    const [, kind = ''] = /^a\/blog\/(\w+)/.exec(name) ?? [];
    const object = parts.get(name.split('/').at(-1) ?? '');
    return { snapshot: 'pointer', keys: 'key', packs: 'pack' }[kind] ?? object ?? name;
  });
};

/** As one request that comes alone. */
function expectCounted({ objectRequests, rowsWritten, rowsRead }: Omit<Counts, 'keys' | 'cacheReads'>): void {
  const { request } = COUNTS;
  expect([objectRequests, rowsWritten]).toEqual([request.objectRequests, request.rowsWritten]);
  expect(rowsRead).toBeLessThanOrEqual(request.rowsRead);
}

describe('a warm isolate', () => {
  // A slow machine must not let the key's record expire.
  beforeEach(() => worker.watch({ clock: Date.now(), forget: true, emptyCache: true }));
  afterEach(() => worker.watch({ clock: 0, clockOffset: 0, forget: true, emptyCache: true }));

  test('reads nothing, calls one Durable Object once, and writes one row', async () => {
    for (const [i, [name, path]] of Object.entries(paths).entries()) {
      await worker.costOf(path, { key });
      await worker.watch({ clockOffset: (i + 1) * (PAUSE_MS + 1) });
      const { keys, cacheReads, ...cost } = await worker.costOf(path, { key });
      const read = kindsIn({ ...cost, cacheReads, keys });
      expect(
        read.filter((kind) => kind !== 'pointer' && kind !== 'key'),
        name,
      ).toEqual([]);
      expect(cacheReads, name).toBeLessThanOrEqual(1); // The pointer.
      expectCounted(cost);
    }
  });

  test('reads the pointer once in 5 seconds, and the key’s record once in a burst', async () => {
    await worker.costOf('/posts', { key });
    let offset = 0;
    const readsAfter = async (ms: number) => {
      await worker.watch({ clockOffset: (offset += ms) });
      return (await worker.costOf('/posts', { key })).keys.map(
        (name) => /snapshot|keys/.exec(name)?.[0] ?? '',
      );
    };
    expect(await readsAfter(COUNTS.pointerSeconds * 1000)).toEqual(['snapshot']);
    expect(await readsAfter(0)).toEqual([]);
    expect(await readsAfter(COUNTS.pointerSeconds * 1000)).toEqual(['snapshot']);
    expect((await readsAfter(30_000)).sort()).toEqual(['keys', 'snapshot']);
  });

  test('reads what parallel requests need only once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => worker.get('/posts', { key })));
    const { keys, objectRequests } = await worker.watch();
    expect(new Set(keys).size).toBe(keys.length);
    expect(objectRequests).toBe(20);
  });
});

describe('a cold isolate', () => {
  test('at a warm location reads nothing, if pointer and key were just read there', async () => {
    for (const [name, path] of Object.entries(paths)) {
      await worker.costOf(path, { key });
      await worker.watch({ forget: true });
      const cost = await worker.costOf(path, { key });
      // The test itself takes time, so they may have become too old.
      expect(
        kindsIn(cost).filter((kind) => kind !== 'pointer' && kind !== 'key'),
        name,
      ).toEqual([]);
      expect(cost.cacheWrites, name).toBeLessThanOrEqual(2);
    }
    const reads = async () => {
      await worker.watch({ forget: true });
      return kindsIn(await worker.costOf('/posts', { key }));
    };
    await expect.poll(reads, { interval: 1 }).toEqual([]);
  });

  test('asks for a pointer that is too old by its ETag, and takes the rest from the location', async () => {
    await worker.costOf('/posts', { key });
    await worker.watch({ forget: true, clockOffset: COUNTS.pointerSeconds * 1000 });
    const { keys, unchanged } = await worker.costOf('/posts', { key });
    expect(keys.filter((name) => !name.includes('/keys/'))).toEqual([
      expect.stringMatching(/snapshot\.json$/),
    ]);
    expect(unchanged).toBe(1);
    await worker.watch({ clockOffset: 0, forget: true, emptyCache: true });
  });

  /** Answers that are ready as objects of their own. */
  const OWN: Readonly<Record<string, string>> = {
    article: 'post',
    'one author': 'author',
    overview: 'overview',
    categories: 'categories',
    tags: 'tags',
  };
  test('at a new location reads the pack of a small blog, and requested objects by name', async () => {
    for (const [name, path] of Object.entries(paths)) {
      await worker.watch({ forget: true, emptyCache: true });
      const cost = await worker.costOf(path, { key });
      const own = OWN[name];
      const pack = own || ['me', 'newest posts'].includes(name) ? [] : ['pack'];
      expect(kindsIn(cost).sort(), name).toEqual(['key', 'pointer', ...pack, ...(own ? [own] : [])].sort());
      expect(cost.bucketReads, name).toBeLessThanOrEqual(6);
    }
  });
});

describe('the page, the description and an asset', () => {
  test('call no Durable Object, and are each read once', async () => {
    const { text } = await send(worker.service.url, { path: '/' });
    const asset = /\/docs\/scalar\.\w+\.js/.exec(text)?.[0] ?? '';
    for (const path of ['/', '/openapi.json', asset]) {
      await worker.watch({ forget: true, emptyCache: true });
      expect((await send(worker.service.url, { path })).status, path).toBe(200);
      const cost = await worker.watch();
      expect(cost, path).toMatchObject({ objectRequests: 0, rowsWritten: 0 });
      expect(kindsIn(cost).sort(), path).toEqual(['file', 'pointer']);
      expect((await send(worker.service.url, { path })).status, path).toBe(200);
      expect(kindsIn(await worker.watch()).filter((kind) => kind === 'file')).toEqual([]);
    }
  });
});

describe('a health check', () => {
  test.each([
    ['/healthz', 'live', 0],
    ['/readyz', 'ready', 1],
  ])('of %s calls no Durable Object, and reads at most the pointer', async (path, status, pointerReads) => {
    await worker.watch({ forget: true });
    const reply = await send(worker.service.url, { path });
    expect([reply.status, reply.json]).toEqual([200, { success: true, data: { status } }]);
    expect(reply.header('X-Quota-Used')).toBeUndefined();
    const cost = await worker.watch();
    expect(cost).toMatchObject({ objectRequests: 0, rowsWritten: 0 });
    expect(kindsIn(cost).filter((kind) => kind === 'pointer').length).toBeLessThanOrEqual(pointerReads);
    expect((await send(worker.service.url, { path, method: 'HEAD' })).status).toBe(200);
    expect((await send(worker.service.url, { path, method: 'POST' })).status).toBe(405);
  });
});

describe('a burst', () => {
  const { burst } = COUNTS;
  afterEach(async () => {
    await worker.watch({ clockOffset: 0, clock: 0, forget: true, emptyCache: true });
  });

  /** Makes the first request of the day, which writes more, and waits until a burst can begin. */
  async function caller(name: string) {
    const [own = ''] = await worker.makeKeys([name]);
    const ask = async (requests: number) => {
      let used = 0;
      for (let i = 0; i < requests; i++) used = quotaOf(await worker.get('/posts', { key: own })).used;
      return used;
    };
    await ask(1);
    await worker.watch({ clockOffset: PAUSE_MS + 1, clock: Date.now() });
    return { ask, principal: `account:${name}` };
  }

  test('writes two rows, and the count is exact after a restart', async () => {
    const { ask, principal } = await caller('bursting');
    expect(await ask(burst.requests)).toBe(1 + burst.requests);
    const { objectRequests, rowsWritten } = await worker.watch();
    expect([objectRequests, rowsWritten]).toEqual([burst.requests, burst.rowsWritten]);
    await worker.restart(principal);
    expect(await ask(1)).toBe(2 + burst.requests);
  });

  test('that is shorter writes a row more, soon after its end', async () => {
    const { ask, principal } = await caller('stopping');
    const before = await worker.kept(principal);
    await ask(2);
    await worker.watch({ clockOffset: 2 * (PAUSE_MS + 1) });
    await expect.poll(async () => (await worker.seen()).settled).toContain(principal);
    const { settled } = await worker.watch();
    expect(settled.filter((name) => name === principal)).toHaveLength(burst.settled.objectRequests);
    const { written } = await worker.kept(principal);
    expect(written - before.written).toBe(burst.rowsWritten + burst.settled.rowsWritten);
    await worker.restart(principal);
    expect(await ask(1)).toBe(4);
  });

  test('that a restart interrupts is charged at most three requests too much', async () => {
    const { ask, principal } = await caller('interrupted');
    expect(await ask(2)).toBe(3);
    await worker.restart(principal);
    expect(await ask(1)).toBe(3 + AHEAD_MAX + 1);
  });
});

describe('a principal', () => {
  test('costs an alarm for the first request of a day', async () => {
    const { rowsWritten } = await worker.costOf('/me', { address: freshAddress() });
    expect(rowsWritten - COUNTS.request.rowsWritten).toBeLessThanOrEqual(COUNTS.principalDay.rowsWritten - 1);
  });

  test('with only OPTIONS requests leaves nothing behind', async () => {
    const address = freshAddress();
    await worker.get('/posts', { method: 'OPTIONS', address });
    const { objectRequests, rowsWritten } = await worker.watch();
    expect([objectRequests, rowsWritten]).toEqual([1, 0]);
    expect((await worker.costOf('/me', { address })).rowsWritten).toBeGreaterThan(1);
  });

  test('is removed by its alarm on the day after, and not before', async () => {
    const day = 86_400_000;
    const principal = 'account:cleared';
    const [own = ''] = await worker.makeKeys(['cleared']);
    await worker.get('/me', { key: own });
    const { rows, alarm } = await worker.kept(principal);
    const midnight = (Math.floor(Date.now() / day) + 1) * day;
    expect(rows).toBe(1);
    expect(alarm).toBeGreaterThan(midnight + MINUTE_MS);
    expect(alarm).toBeLessThan(midnight + day);

    expect(await worker.kept(principal, true)).toMatchObject({ rows: 1, alarm: expect.any(Number) });
    await worker.watch({ clockOffset: day });
    expect(await worker.kept(principal, true)).toMatchObject({ rows: 0 });
    const reply = await worker.get('/me', { key: own });
    expect(reply.header('x-quota-used')).toBe('1');
    expect((await worker.kept(principal)).rows).toBe(1);
    await worker.watch({ clockOffset: 0, forget: true });
  });
});
