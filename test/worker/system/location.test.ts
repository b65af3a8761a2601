/**
 * What isolates of one location share in its Cache API, and what one isolate remembers: key records, and refusals. What a crowd gets
 * is in test/conformance/quotas.ts.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayNumber, dayStart } from '../../../contract/day.ts';
import { keyPath } from '../../../contract/key-record.ts';
import { parseJson, isRecord } from '../../../contract/json.ts';
import { freshAddress } from '../../conformance/caller.ts';
import { integerHeader, quotaOf } from '../../conformance/fields.ts';
import { storedFiles } from '../../publish/stored-files.ts';
import { emptyBlog } from '../../service/blogs.ts';
import { BUCKET, PREFIX } from '../../service/worker-home.ts';
import { serveWatched, type WatchedWorker } from '../watched-worker.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const LIMIT = 15;
/** Of today: alarms are due by the real clock. */
const NOON = dayStart(dayNumber(Date.now())) + 43_200_000;

let worker: WatchedWorker;

beforeAll(async () => {
  const day = { address: 50, user: LIMIT, admin: 1000 };
  worker = await serveWatched(await emptyBlog(), { limits: { day, minute: 30 } });
});
afterAll(() => worker.service.close());
// All clocks stand still: time passes only as the tests say.
beforeEach(async () => void (await worker.watch({ clock: NOON, forget: true, emptyCache: true })));

const after = (seconds: number) => worker.watch({ clock: NOON + seconds * 1000 });
const newIsolate = () => worker.watch({ forget: true });
const statusFor = async (key: string) => (await worker.get('/me', { key })).status;

describe('the record of a key', () => {
  const isRead = async (key: string) =>
    (await worker.costOf('/posts', { key })).keys.some((name) => name.includes('/keys/'));

  /** A new key, and its file in the bucket. */
  async function newKey(account: string) {
    const [key = ''] = await worker.makeKeys([account]);
    const stored = storedFiles({ ...worker.service, bucket: BUCKET }, `${PREFIX}/`);
    const path = keyPath(createHash('sha256').update(key).digest('hex'));
    return { key, stored, path, record: (await stored.read(path))?.toString() ?? '' };
  }

  test('is read once for all isolates, for 25 seconds', async () => {
    const { key } = await newKey('shared');
    expect(await isRead(key)).toBe(true);
    for (const seconds of [1, 10, 20, 24, 26]) {
      await newIsolate();
      await after(seconds);
      expect(await isRead(key), `${seconds} s`).toBe(seconds > 25);
    }
  });

  test('is believed for 25 seconds in all layers together', async () => {
    const { key, stored, path, record } = await newKey('revoked');
    expect(await statusFor(key)).toBe(200);
    await stored.write(path, JSON.stringify({ ...parseJson(record, isRecord, 'a record'), revoked: true }));
    await after(20);
    await newIsolate();
    // From the location's cache, where it is 20 seconds old.
    expect(await statusFor(key)).toBe(200);
    await after(26);
    expect(await statusFor(key)).toBe(401);
    await newIsolate();
    expect(await statusFor(key)).toBe(401);
  });

  test('is not kept if there is none: a new key works 5 seconds after it was tried too early', async () => {
    const { key, stored, path, record } = await newKey('early');
    await stored.remove(path);
    expect(await statusFor(key)).toBe(401);
    await stored.write(path, record);
    await newIsolate();
    expect(await statusFor(key)).toBe(200);
  });
});

test('a caller over the minute limit is refused from memory until it ends', async () => {
  const address = freshAddress();
  await Promise.all(Array.from({ length: 31 }, () => worker.get('/me', { address })));
  await worker.watch();
  const refused = await Promise.all(
    Array.from({ length: 200 }, () => worker.get('/posts?q=something', { address })),
  );
  const { objectRequests, rowsWritten, keys } = await worker.watch();
  expect({ objectRequests, rowsWritten }).toEqual({ objectRequests: 0, rowsWritten: 0 });
  expect(keys.filter((key) => key.includes('objects/'))).toEqual([]);
  for (const reply of refused) {
    expect(reply.status).toBe(429);
    expect(quotaOf(reply)).toMatchObject({ limit: 50, used: 30, remaining: 20 });
    expect(integerHeader(reply, 'Retry-After')).toBe(60);
  }
  await after(60);
  expect((await worker.get('/me', { address })).status).toBe(200);
  expect((await worker.watch()).objectRequests).toBe(1);
});

test('so is a caller over the daily limit, and a new isolate asks once', async () => {
  const [key = ''] = await worker.makeKeys(['exhausted']);
  await Promise.all(Array.from({ length: LIMIT + 1 }, () => worker.get('/me', { key })));
  await newIsolate();
  for (let i = 0; i < 5; i++) expect(await statusFor(key)).toBe(429);
  expect((await worker.watch()).objectRequests).toBe(1);

  await after(3600);
  const later = await worker.get('/me', { key });
  expect(later.status).toBe(429);
  expect(later.header('RateLimit')).toContain('"minute";r=30;t=0'); // The headers stay correct.
  await after(86_400);
  expect(await statusFor(key)).toBe(200);
});
