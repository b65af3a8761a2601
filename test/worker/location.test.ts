/**
 * What isolates of one location share in its Cache API: key records and limits.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyPath } from '../../contract/key-record.ts';
import { parseJson, isRecord } from '../../contract/json.ts';
import { shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { freshAddress } from '../conformance/caller.ts';
import { awayFromMidnight } from '../conformance/crowd.ts';
import { quotaOf } from '../conformance/fields.ts';
import { storedFiles } from '../publish/stored-files.ts';
import { BUCKET, PREFIX } from '../service/worker-home.ts';
import { serveWatched, type WatchedWorker } from './watched-worker.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const limitsOf = (address: number) => ({
  limits: { day: { address, user: 1000, admin: 1000 }, minute: 5000 },
});

let worker: WatchedWorker;
/** All clocks stand still: time passes only as the tests say. */
let start = 0;
const folder = folderUntil(afterAll);

beforeAll(async () => {
  await awayFromMidnight();
  const db = join(folder, 'blog.db');
  shortBlog(db, 40, 5);
  worker = await serveWatched({ name: 'location', db }, limitsOf(20));
});
afterAll(() => worker?.service.close());
beforeEach(async () => {
  start = Date.now();
  await worker.watch({ clock: start, forget: true, emptyCache: true });
});

const after = (seconds: number) => worker.watch({ clock: start + seconds * 1000 });
const newIsolate = () => worker.watch({ forget: true });
const stored = () => storedFiles({ ...worker.service, bucket: BUCKET }, `${PREFIX}/`);

async function revoke(key: string): Promise<void> {
  const path = keyPath(createHash('sha256').update(key).digest('hex'));
  const record = parseJson((await stored().read(path))?.toString() ?? '', isRecord, 'a record');
  await stored().write(path, JSON.stringify({ ...record, revoked: true }));
}

describe('the record of a key', () => {
  const isRead = ({ keys }: { readonly keys: readonly string[] }) =>
    keys.some((name) => name.includes('/keys/'));

  test('is read once for all isolates, for 25 seconds', async () => {
    const [key = ''] = await worker.makeKeys(['shared']);
    expect(isRead(await worker.costOf('/posts', { key }))).toBe(true);
    for (const seconds of [1, 10, 20, 24]) {
      await newIsolate();
      await after(seconds);
      expect(isRead(await worker.costOf('/posts', { key })), `${seconds} s`).toBe(false);
    }
    await newIsolate();
    await after(26);
    expect(isRead(await worker.costOf('/posts', { key }))).toBe(true);
  });

  test('is believed for 25 seconds in all layers together', async () => {
    const [key = ''] = await worker.makeKeys(['revoked']);
    expect((await worker.get('/me', { key })).status).toBe(200);
    await revoke(key);
    await after(20);
    await newIsolate();
    // From the location's cache, where it is 20 seconds old.
    expect((await worker.get('/me', { key })).status).toBe(200);
    await after(26);
    expect((await worker.get('/me', { key })).status).toBe(401);
    await newIsolate();
    expect((await worker.get('/me', { key })).status).toBe(401);
  });

  test('is not kept if there is none: a new key works 5 seconds after it was tried too early', async () => {
    const [key = ''] = await worker.makeKeys(['early']);
    const path = keyPath(createHash('sha256').update(key).digest('hex'));
    const record = (await stored().read(path))?.toString() ?? '';
    await stored().remove(path);
    const before = await worker.watch();
    expect(before.keys).toEqual([]);
    expect((await worker.get('/me', { key })).status).toBe(401);
    await stored().write(path, record);
    await newIsolate();
    expect((await worker.get('/me', { key })).status).toBe(200);
  });
});

describe('the limits', () => {
  test('let a new isolate count before the pointer is read', async () => {
    const address = freshAddress();
    await worker.get('/posts', { address });
    await after(60);
    await worker.watch({ forget: true, faults: [{ at: 'slow', key: 'snapshot.json', times: 1 }] });
    const reply = worker.get('/posts', { address });
    let isAnswered = false;
    void reply.finally(() => (isAnswered = true));
    await expect.poll(async () => (await worker.seen()).objectRequests, { interval: 1 }).toBe(1);
    expect(isAnswered).toBe(false);
    expect(quotaOf(await reply).used).toBe(2);
    await worker.watch({ faults: [] });
  });

  test.each([
    ['lower', 5],
    ['higher', 30],
  ])('of a snapshot replace %s ones that are stored, and each request counts once', async (_, limit) => {
    const settings = join(worker.service.folder, 'offprint.json');
    const publish = async (address: number) => {
      writeFileSync(settings, JSON.stringify(limitsOf(address)));
      await worker.service.publish('--force');
    };
    await publish(20);
    await worker.watch({ forget: true, emptyCache: true });
    const address = freshAddress();
    const seen: (readonly [status: number, limit: number, used: number])[] = [];
    const ask = async () => {
      const reply = await worker.get('/posts', { address });
      const { limit, used } = quotaOf(reply);
      seen.push([reply.status, limit, used]);
    };
    for (let i = 1; i <= 3; i++) await ask();
    await publish(limit);
    await after(60);
    await newIsolate();
    await ask();
    await newIsolate();
    await ask();
    expect(seen).toEqual([
      ...[1, 2, 3].map((used) => [200, 20, used]),
      ...[4, 5].map((used) => [200, limit, used]),
    ]);
    await newIsolate();
    await ask();
    expect(seen[5]).toEqual(limit === 5 ? [429, 5, 5] : [200, 30, 6]);
  });
});
