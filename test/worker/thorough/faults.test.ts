/**
 * A single failure is not visible; a lasting one is a 500 in the envelope, and never a free request or a wrong
 * answer.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshAddress } from '../../conformance/caller.ts';
import { quotaOf } from '../../conformance/fields.ts';
import { failure } from '../../conformance/shapes.ts';
import { dayNumber, dayStart } from '../../../contract/day.ts';
import { PAUSE_MS } from '../../../gateway/worker/burst.ts';
import { packPath } from '../../../contract/pack.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { directoryOf, namedBySnapshot, namesOf } from '../../build/output.ts';
import { editing } from '../../build/publishing.ts';
import { storedFiles } from '../../publish/stored-files.ts';
import { sampleBlog } from '../../service/blogs.ts';
import { type Reply, send } from '../../service/client.ts';
import { BUCKET, PREFIX } from '../../service/worker-home.ts';
import { serveWatched, type WatchedWorker } from '../watched-worker.ts';
import { rawGet } from '../../service/raw-client.ts';
import type { Fault } from '../watching.ts';

const ARTICLE = '/posts/brevity';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker: WatchedWorker;
let pointerText = '';
beforeAll(async () => {
  worker = await serveWatched(await sampleBlog(), {});
  pointerText = await stored().pointerText();
});
afterAll(() => worker.service.close());
beforeEach(() => worker.watch({ forget: true, emptyCache: true, faults: [] }));

const stored = () => storedFiles({ ...worker.service, bucket: BUCKET }, `${PREFIX}/`);

function expectFailure(reply: Reply): void {
  expect(reply.status).toBe(500);
  expect(failure.parse(reply.json).message).toBe(
    'Something went wrong on the server. Try again in a moment.',
  );
  expect(reply.header('Cache-Control')).toBe('no-store');
  expect(reply.text).not.toMatch(/fault|tests|Error|\.ts/);
}

const READ: [string, Fault['at'], readonly string[]][] = [
  ['the pointer', 'bucket', ['snapshot.json']],
  ['the directory, without packs', 'bucket', ['packs/', 'objects/directory']],
  ['an article', 'bucket', ['objects/body']],
  ['the call of a Durable Object', 'call', ['']],
  ['its storage', 'write', ['']],
  ['its answer', 'answer', ['']],
];
const faultsAt = (at: Fault['at'], keys: readonly string[], times: number) => ({
  faults: [
    ...keys.map((key) => ({ at, key, times })),
    // The pack next to the pointer has the directory too.
    ...(keys.includes('packs/') ? [{ at: 'pointer', times: 1000, text: pointerText } as const] : []),
  ],
});

describe('a single failure is not seen, a lasting one is a 500:', () => {
  test.each(READ)('%s', async (_, at, keys) => {
    const address = freshAddress();
    await worker.watch(faultsAt(at, keys, 1));
    const reply = await worker.get(ARTICLE, { address });
    expect([reply.status, quotaOf(reply).used]).toEqual([200, 1]);
    await worker.watch({ forget: true, emptyCache: true, ...faultsAt(at, keys, 1000) });
    for (let i = 0; i < 3; i++) expectFailure(await worker.get(ARTICLE, { address }));
    await worker.watch({ faults: [] });
    const { used } = quotaOf(await worker.get(ARTICLE, { address }));
    // Counted if counting succeeded, whatever the answer; and never twice.
    expect(used).toBe(keys.includes('objects/body') || at === 'answer' ? 5 : 2);
  });

  test('a key’s record', async () => {
    const [key = ''] = await worker.makeKeys(['unread']);
    const address = freshAddress();
    await worker.watch({ faults: [{ at: 'bucket', key: 'keys/', times: 1 }] });
    expect((await worker.get(ARTICLE, { key, address })).status).toBe(200);
    await worker.watch({
      forget: true,
      emptyCache: true,
      faults: [{ at: 'bucket', key: 'keys/', times: 1000 }],
    });
    expectFailure(await worker.get(ARTICLE, { key, address }));
    await worker.watch({ faults: [] });
    expect(quotaOf(await worker.get('/me', { key })).used).toBe(2);
    expect(quotaOf(await worker.get('/me', { address })).used).toBe(1);
  });

  test('the pointer, with a known snapshot: it is still served', async () => {
    expect((await worker.get(ARTICLE)).status).toBe(200);
    await worker.watch({ clockOffset: 6000, faults: [{ at: 'bucket', key: 'snapshot.json', times: 1000 }] });
    expect((await worker.get(ARTICLE)).status).toBe(200);
    expect((await worker.watch({ clockOffset: 0, faults: [] })).keys).toHaveLength(2);
  });

  test('the pack: objects are read', async () => {
    await worker.watch(faultsAt('bucket', ['packs/'], 1000));
    expect((await worker.get('/posts')).status).toBe(200);
    expect((await worker.get('/tags')).status).toBe(200);
    const { keys } = await worker.watch({ faults: [] });
    expect(keys.filter((key) => key.includes('packs/'))).toHaveLength(2); // Tried twice.
  });

  test('the Cache API: R2 is asked', async () => {
    await worker.watch({ faults: [{ at: 'cache', times: 1000 }] });
    expect((await worker.get(ARTICLE)).status).toBe(200);
  });
});

test('a client that disconnects does not affect others that wait for the same read', async () => {
  const begun = performance.now();
  await worker.watch({ faults: [{ at: 'slow', key: 'objects/body', times: 1 }] });
  const { hostname, port } = new URL(worker.service.url);
  const socket = connect({ host: hostname, port: Number(port) }, () =>
    socket.write(rawGet(`/api/public/v1${ARTICLE}`)),
  );
  while (!(await worker.seen()).keys.some((key) => key.includes('objects/body'))) await sleep(20);
  const waiting = worker.get(ARTICLE);
  await worker.seen();
  socket.destroy();
  await expectOneRead(begun, waiting);
});

test('a request that is answered does not affect others that wait for the same read', async () => {
  const slow = { at: 'slow', key: 'objects/body', times: 1 } as const;
  await worker.watch({ faults: [slow, { at: 'call', times: 2 }] });
  expectFailure(await worker.get(ARTICLE));
  await expectOneRead(performance.now(), worker.get(ARTICLE));
});

/** Ends the slow read of an article, for which a request waits: for three seconds, then it reads on its own. */
async function expectOneRead(begun: number, waiting: Promise<Reply>): Promise<void> {
  const { keys } = await worker.watch({ faults: [] });
  expect((await waiting).status).toBe(200);
  const all = [...keys, ...(await worker.watch()).keys];
  const reads = all.filter((key) => key.includes('objects/body')).length;
  if (performance.now() - begun < 2500) expect(reads).toBe(1);
}

test('a repeated request is counted once, whatever was counted in between, also after a restart', async () => {
  const ask = async (request: string) => (await worker.count('account:asking', request)).verdict.used;
  // Away from midnight.
  await worker.watch({ clock: dayStart(dayNumber(Date.now())) + 43_200_000 });
  expect(await ask('first')).toBe(1);
  for (let i = 2; i <= 100; i++) expect(await ask(`other-${i}`)).toBe(i);
  // After a pause, so that the row has the exact count.
  await worker.watch({ clockOffset: PAUSE_MS + 1 });
  expect(await ask('other-101')).toBe(101);
  expect(await ask('first')).toBe(1);
  await worker.restart('account:asking');
  expect([await ask('first'), await ask('other-101'), await ask('another')]).toEqual([1, 101, 102]);
  await worker.watch({ clockOffset: 0, clock: 0 });
});

describe('something hangs', () => {
  /** A request does not repeat what another has read. */
  async function expectKnown(key?: string): Promise<void> {
    const { keys, cacheReads } = await worker.costOf('/posts', key === undefined ? {} : { key });
    expect(keys.filter((name) => name.includes('objects/') || name.includes('packs/'))).toEqual([]);
    expect(cacheReads).toBeLessThanOrEqual(1); // The pointer.
  }

  test('a Durable Object: its caller gets a 500, and others do not repeat its reads', async () => {
    const [hung = '', other = ''] = await worker.makeKeys(['hung', 'other']);
    await worker.get('/posts', { key: other });
    await worker.watch({ faults: [{ at: 'hang', key: 'account:hung', times: 2 }] });
    const failing = worker.get('/posts', { key: hung });
    expect((await worker.get('/posts', { key: other })).status).toBe(200);
    expectFailure(await failing);
    await expectKnown(other);
    expect((await worker.get('/posts', { key: hung })).status).toBe(200);
  });

  test.each([1000, 1])(
    'a read of the bucket, %i times: requests that wait for it get a 500 if it never ends, and others do not repeat its reads',
    async (times) => {
      await worker.get('/posts');
      await worker.watch({ faults: [{ at: 'hang', key: 'objects/body', times }] });
      const waiting = [worker.get(ARTICLE), worker.get(ARTICLE)];
      expect((await worker.get('/posts')).status).toBe(200);
      for (const reply of await Promise.all(waiting))
        if (times === 1) expect(reply.status).toBe(200);
        else expectFailure(reply);
      await expectKnown();
      await worker.watch({ faults: [] });
      expect((await worker.get(ARTICLE)).status).toBe(200);
    },
  );
});

describe('something is missing', () => {
  test('nothing is published', async () => {
    const pointer = await stored().read('snapshot.json');
    await stored().remove('snapshot.json');
    const reply = await worker.get(ARTICLE);
    await stored().write('snapshot.json', pointer?.toString() ?? '');
    expect(reply.status).toBe(503);
    failure.parse(reply.json);
    expect((await worker.get(ARTICLE)).status).toBe(200);
  });

  test('an object of the served snapshot: a 500, until it is restored', async () => {
    const { out } = worker.service;
    const [author] = namesOf(out, directoryOf(out).names.author);
    if (!author) throw new Error('The blog has no author.');
    const [username, hash] = author;
    const path = objectPath('body', hash);
    const bytes = (await stored().read(path))?.toString() ?? '';
    const address = `/authors/${encodeURIComponent(username)}`;
    await stored().remove(path);
    const reply = await worker.get(address);
    await stored().write(path, bytes);
    expectFailure(reply);
    expect((await worker.get(address)).status).toBe(200);
  });

  /** Publishes a change, and removes objects that only the previous snapshot has. */
  async function publishAndPrune(change: string): Promise<void> {
    const before = await stored().pointer();
    const old = new Set(await stored().paths());
    editing(worker.service.db, (blog) => blog.exec(change));
    await worker.service.publish();
    const after = await stored().pointer();
    expect(after.snapshot).not.toBe(before.snapshot);
    const kept = new Set(namedBySnapshot(worker.service.out));
    const pruned = [...old].filter((path) => path.startsWith('objects/') && !kept.has(path));
    expect(pruned.length).toBeGreaterThan(2);
    for (const path of pruned) await stored().remove(path);
    await stored().remove(packPath(before.snapshot));
  }

  test('objects of a pruned snapshot: the new one answers, and it counts once', async () => {
    const address = freshAddress();
    expect((await worker.get('/me', { address })).status).toBe(200);
    const before = await stored().pointer();
    await publishAndPrune("UPDATE posts SET title = 'On Being Brief' WHERE slug = 'brevity'");
    for (const path of [ARTICLE, '/posts']) {
      const reply = await worker.get(path, { address });
      expect(reply.status, path).toBe(200);
      expect(reply.text).toContain('On Being Brief');
    }
    expect(quotaOf(await worker.get('/me', { address })).used).toBe(4);

    // A pointer that was read just before it was replaced.
    const stale = { at: 'pointer', times: 1, text: JSON.stringify(before) } as const;
    await worker.watch({ forget: true, emptyCache: true, faults: [stale] });
    expect((await worker.get(ARTICLE, { address })).text).toContain('On Being Brief');
  });

  test('the page of a pruned snapshot: the new one’s is served', async () => {
    await worker.watch({ forget: true, emptyCache: true });
    expect((await worker.get('/tags')).status).toBe(200); // The isolate uses the current snapshot.
    await publishAndPrune("UPDATE site SET name = 'Renamed'");
    const reply = await send(worker.service.url, { path: '/' });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toContain('<h1 id="title">Renamed, as data</h1>');
  });
});
