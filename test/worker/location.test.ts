/**
 * What isolates of one location share in its Cache API: key records.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyPath } from '../../contract/key-record.ts';
import { parseJson, isRecord } from '../../contract/json.ts';
import { shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { awayFromMidnight } from '../conformance/crowd.ts';
import { storedFiles } from '../publish/stored-files.ts';
import { BUCKET, PREFIX } from '../service/worker-home.ts';
import { serveWatched, type WatchedWorker } from './watched-worker.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker: WatchedWorker;
/** All clocks stand still: time passes only as the tests say. */
let start = 0;
const folder = folderUntil(afterAll);

beforeAll(async () => {
  await awayFromMidnight();
  const db = join(folder, 'blog.db');
  shortBlog(db, 40, 5);
  worker = await serveWatched({ name: 'location', db }, {});
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
