/**
 * Parallel publishers, prunes and rollbacks on one bucket, and a reader that checks it.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transport } from '../../../common/bucket/s3-client.ts';
import { prune } from '../../../build/history/prune.ts';
import { BucketStorage } from '../../../build/publish/bucket-storage.ts';
import { release, rollBack } from '../../../build/history/rollback.ts';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { pointerOf, namedBySnapshot } from '../../build/output.ts';
import { editing } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { type LocalBucket, startLocalBucket } from '../../service/local-bucket.ts';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { beforeFirst, type Fault, proxied, type Seen } from '../proxy.ts';
import { builtBlog, inBucket, publishTo } from '../publishing.ts';
import { storedFiles, type StoredFiles } from '../stored-files.ts';
import { cases } from '../../random-cases.ts';

/** Number of races between two publishers. For a long run set OFFPRINT_TEST_TIMES, for example to 25. */
const ROUNDS = cases(2);

type Store = Pick<LocalBucket, 'endpoint' | 'bucket'>;

/** R2, for its conditions and timestamps. A request takes ten times as long as in memory. */
let local: LocalBucket;
/** In memory, if the order of requests matters. */
let memory: MemoryStore;
beforeAll(async () => {
  local = await startLocalBucket();
  memory = await startMemoryStore();
});
afterAll(() => Promise.all([local.close(), memory.close()]));

function at(prefix: string, { bucket, endpoint }: Store = memory) {
  return { to: `s3://${bucket}/${prefix}`, stored: storedFiles({ bucket, endpoint }, `${prefix}/`) };
}

const isPut = ({ method }: Seen) => method === 'PUT';
const isSwitch = (seen: Seen) => isPut(seen) && seen.url.endsWith('snapshot.json');

/** Reads pointer, directory and objects repeatedly, like a gateway without a cache; the returned function ends it. */
function watch(stored: StoredFiles) {
  const [faults, snapshots] = [[] as string[], new Set<string>()];
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      snapshots.add((await stored.pointer()).snapshot);
      faults.push(...(await stored.faults()));
    }
  })();
  return async () => {
    stopped = true;
    await running;
    return { faults, snapshots };
  };
}

describe('two publishers in parallel', () => {
  test('exactly one succeeds, the other reports it, and the served snapshot is complete', async () => {
    const { to, stored } = at('two', local);
    const [one, two] = [await builtBlog(8, 1), await builtBlog(8, 2)];
    await publishTo(local.endpoint, to, one.out);
    const previous = async () => (await stored.pointer()).previous.length;
    const proxies = [await proxied(local.endpoint), await proxied(local.endpoint)];
    for (let round = 1; round <= ROUNDS; round++) {
      await Promise.all([one.addPost(`round-${round}`), two.addPost(`round-${round}`)]);
      const before = await previous();
      // Both have read the pointer before either continues.
      const gate = barrierFor(2);
      const outcomes = await Promise.allSettled(
        proxies.map((proxy, i) => {
          const { out } = i === 0 ? one : two;
          beforeFirst(proxy, isPut, gate);
          return publishTo(proxy.endpoint, to, out);
        }),
      );
      const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
      const lost = outcomes.find(({ status }) => status === 'rejected');
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(lost?.status === 'rejected' && String(lost.reason)).toContain(
        'ChangedMeanwhile: Another command changed',
      );
      expect((await stored.pointer()).snapshot).toBe(pointerOf((won === 0 ? one : two).out).snapshot);
      expect(await previous()).toBe(Math.min(5, before + 1));
      expect(await stored.faults()).toEqual([]);
    }
  });

  test('also if nothing was published before', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const { to, stored } = at(`two-first-${round}`, local);
      const outs = [(await builtBlog(5, 1)).out, (await builtBlog(5, 2)).out];
      const outcomes = await Promise.allSettled(outs.map((out) => publishTo(local.endpoint, to, out)));
      const won = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? i : []));
      expect(won.length).toBeGreaterThan(0); // Both, if one ended before the other started.
      expect(await stored.faults()).toEqual([]);
      const { snapshot, previous } = await stored.pointer();
      expect(previous.length).toBe(won.length - 1);
      expect(won.map((i) => pointerOf(outs[i] ?? '').snapshot)).toContain(snapshot);
    }
  });

  test('the slower one does not change the keys either', async () => {
    const { to, stored } = at('slower', local);
    const blog = await builtBlog(5);
    await publishTo(local.endpoint, to, blog.out);
    await blog.addPost('the-news');
    const other = join(temporaryFolder(), 'out'); // Another machine's copy.
    cpSync(blog.out, other, { recursive: true });
    const proxy = await proxied(local.endpoint);
    beforeFirst(proxy, isSwitch, async () => publishTo(local.endpoint, to, (await builtBlog(5, 9)).out));
    await expect(publishTo(proxy.endpoint, to, other)).rejects.toThrow('Another command changed');
    expect(proxy.seen.some(({ url }) => url.includes('keys'))).toBe(false);
    expect(await stored.faults()).toEqual([]);
  });
});

/** Blocks callers until this many have arrived. */
function barrierFor(count: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if ((come += 1) === count) open();
    return opened;
  };
}

describe('a reader during publishes', () => {
  test('never finds an object missing during publishes, rollbacks and prunes', async () => {
    const { to, stored } = at('watched');
    const blog = await builtBlog(10);
    await publishTo(memory.endpoint, to, blog.out);
    const stopWatching = watch(stored);
    const pruneHour = () =>
      inBucket(memory.endpoint, to, (bucket) => prune(new BucketStorage(bucket, blog.out), 3_600_000));
    for (let generation = 1; generation <= 8; generation++) {
      const before = (await stored.pointer()).snapshot;
      editing(blog.db, (db) => touchEveryPost(db, generation));
      await blog.build();
      await publishTo(memory.endpoint, to, blog.out);
      if (generation % 3 === 0) {
        await inBucket(memory.endpoint, to, (bucket) =>
          rollBack(new BucketStorage(bucket, blog.out), before),
        );
        await inBucket(memory.endpoint, to, (bucket) => release(new BucketStorage(bucket, blog.out)));
      }
      if (generation % 2 === 0) await pruneHour();
    }
    const { faults, snapshots } = await stopWatching();
    expect(faults).toEqual([]);
    expect(snapshots.size).toBeGreaterThan(3);
  });
});

describe('a prune during a publish', () => {
  /** A bucket with earlier objects that its next snapshot needs and no kept snapshot names. */
  async function withOldObjects(prefix: string, store: Store = memory, posts = 4) {
    const { to, stored } = at(prefix, store);
    const blog = await builtBlog(posts);
    await publishTo(store.endpoint, to, blog.out);
    editing(blog.db, (db) => touchEveryPost(db, 1));
    await blog.addPost('comes-and-goes');
    // An upload that ended before its pointer was written.
    const proxy = await proxied(store.endpoint);
    proxy.fault = ({ method, url }) =>
      method === 'PUT' && url.endsWith('snapshot.json') ? { status: 400 } : undefined;
    await expect(publishTo(proxy.endpoint, to, blog.out)).rejects.toThrow('400');
    return { blog, to, stored };
  }
  const pruneNow = (endpoint: string, to: string, out: string, transport: Partial<Transport> = {}) =>
    inBucket(endpoint, to, (bucket) => prune(new BucketStorage(bucket, out), 0), transport);

  // Many missing objects are listed and found, so that only few are uploaded.
  test.each([
    ['objects/body', 4],
    ['snapshot.json', 60],
  ])('before it uploads %s of %i posts', async (moment, posts) => {
    const { blog, to, stored } = await withOldObjects(`prune-${posts}`, memory, posts);
    const proxy = await proxied(memory.endpoint);
    let removed = 0;
    const isThen = (seen: Seen) => isPut(seen) && seen.url.includes(moment);
    beforeFirst(proxy, isThen, async () => {
      removed = (await pruneNow(memory.endpoint, to, '/no/output/here')).removed;
    });
    const { snapshot } = await publishTo(proxy.endpoint, to, blog.out);
    expect(proxy.seen.some(({ url }) => url.includes('prefix=') && url.includes('objects%2F'))).toBe(
      posts > 32,
    );
    expect(removed).toBeGreaterThan(3);
    expect((await stored.pointer()).snapshot).toBe(snapshot);
    expect(await stored.faults()).toEqual([]);
  });

  test('a publish does not trust uploads of an interrupted one from before the prune', async () => {
    const { blog, to, stored } = await withOldObjects('prune-between');
    expect((await pruneNow(memory.endpoint, to, blog.out)).removed).toBeGreaterThan(3);
    await publishTo(memory.endpoint, to, blog.out);
    expect(await stored.faults()).toEqual([]);
  });

  test('a publish that starts during a prune waits for its end', async () => {
    const { blog, to, stored } = await withOldObjects('prune-first');
    const pruner = await proxied(memory.endpoint);
    let publishing: Promise<unknown> | undefined;
    const publisher = await proxied(memory.endpoint);
    const isRemoval = ({ method, url }: Seen) => method === 'POST' && url.includes('delete');
    beforeFirst(pruner, isRemoval, async () => {
      const transport = { sleep: (ms: number) => delay(ms / 100) };
      publishing = publishTo(publisher.endpoint, to, blog.out, { transport });
      await expect.poll(() => publisher.seen.length).toBeGreaterThanOrEqual(3);
      expect(publisher.seen.every(({ method }) => method === 'GET')).toBe(true);
    });
    expect((await pruneNow(pruner.endpoint, to, blog.out)).removed).toBeGreaterThan(3);
    await publishing;
    expect((await stored.pointer()).snapshot).toBe(pointerOf(blog.out).snapshot);
    expect(await stored.faults()).toEqual([]);
  });

  test('signs its removals with the time of its mark, so that the service rejects late ones', async () => {
    const { blog, to, stored } = await withOldObjects('prune-late', local);
    const proxy = await proxied(local.endpoint);
    let signed: string | undefined;
    let since: string | undefined;
    proxy.fault = async ({ method, headers }) => {
      if (method !== 'POST') return undefined;
      signed = String(headers['x-amz-date']);
      since = JSON.parse(await stored.pointerText()).prune.running.since;
      return undefined;
    };
    let time = Date.now();
    const now = () => new Date((time += 2000)); // The clock advances between requests.
    await pruneNow(proxy.endpoint, to, blog.out, { now });
    expect(signed).toBe(since?.replace(/[:-]|\.\d{3}/g, ''));

    const [path = ''] = namedBySnapshot(blog.out);
    await publishTo(local.endpoint, to, blog.out);
    await inBucket(local.endpoint, to, async (bucket) => {
      await expect(bucket.delete([path], new Date(Date.now() - 16 * 60_000))).rejects.toThrow(
        "machine's clock",
      );
      expect(await stored.faults()).toEqual([]);
      await bucket.delete([path], new Date(Date.now() - 14 * 60_000));
      expect(await stored.faults()).not.toEqual([]);
    });
  });

  test('a crashed prune blocks for 20 minutes', async () => {
    const { blog, to, stored } = await withOldObjects('prune-dead');
    const mark = async (age: number) => {
      const pointer = JSON.parse(await stored.pointerText());
      const since = new Date(Date.now() - age).toISOString();
      await stored.write(
        'snapshot.json',
        JSON.stringify({ ...pointer, prune: { number: 7, running: { since, by: 'one that died' } } }),
      );
    };
    const transport = { sleep: () => Promise.resolve() };
    await mark(19 * 60_000);
    await expect(publishTo(memory.endpoint, to, blog.out, { transport })).rejects.toThrow(
      'has been running since',
    );
    await expect(pruneNow(memory.endpoint, to, blog.out)).rejects.toThrow('has been running since');
    await mark(21 * 60_000);
    await publishTo(memory.endpoint, to, blog.out, { transport });
    expect(JSON.parse(await stored.pointerText())).toMatchObject({
      snapshot: pointerOf(blog.out).snapshot,
      prune: { number: 7, running: null },
    });
    expect(await stored.faults()).toEqual([]);
  });

  test.each<[string, (count: number) => Fault | undefined, string | null, boolean]>([
    ['got no response lets its mark expire', (count) => (count === 1 ? 'lose' : undefined), null, true],
    ['failed permanently does too', () => 'reset', 'cannot be reached', true],
    ['were never sent deletes its mark', () => ({ status: 403 }), '403', false],
  ])('a prune whose removals %s', async (name, faultOf, message, isMarked) => {
    const { blog, to, stored } = await withOldObjects(name.replaceAll(' ', '-'));
    const proxy = await proxied(memory.endpoint);
    let count = 0;
    proxy.fault = ({ method, url }) => {
      const isThen = isMarked ? method === 'POST' : url.includes('list-type');
      return isThen ? faultOf((count += 1)) : undefined;
    };
    const retry = { tries: 2, baseMs: 1, capMs: 1 };
    const pruning = pruneNow(proxy.endpoint, to, blog.out, { retry });
    if (message === null) await pruning;
    else await expect(pruning).rejects.toThrow(message);
    const { prune: mark } = JSON.parse(await stored.pointerText());
    expect(mark.running !== null).toBe(isMarked);
    if (!isMarked) return;
    expect(mark).toMatchObject({ number: 1, running: { since: expect.any(String) } });
    const done = await proxied(memory.endpoint);
    const transport = { sleep: () => Promise.resolve() };
    const publishing = publishTo(done.endpoint, to, blog.out, { transport });
    await expect(publishing).rejects.toThrow('has been running since');
    expect(done.puts()).toEqual([]);
  });

  test('of two prunes that start at the same moment, one goes first', async () => {
    const { blog, to } = await withOldObjects('prune-same');
    const moment = new Date();
    const gate = barrierFor(2);
    const outcomes = await Promise.allSettled(
      [1, 2].map(async () => {
        const proxy = await proxied(memory.endpoint);
        beforeFirst(proxy, isPut, gate);
        return pruneNow(proxy.endpoint, to, blog.out, { now: () => moment });
      }),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a rollback during a publish goes first', async () => {
  const { to, stored } = at('rollback-first');
  const blog = await builtBlog(6);
  const old = (await publishTo(memory.endpoint, to, blog.out)).snapshot;
  await blog.addPost('one');
  await publishTo(memory.endpoint, to, blog.out);
  await blog.addPost('two');
  const proxy = await proxied(memory.endpoint);
  beforeFirst(proxy, isSwitch, () =>
    inBucket(memory.endpoint, to, (bucket) => rollBack(new BucketStorage(bucket, blog.out), old)),
  );
  await expect(publishTo(proxy.endpoint, to, blog.out)).rejects.toThrow('Another command changed');
  expect(await stored.pointer()).toMatchObject({ snapshot: old, held: true });
});
