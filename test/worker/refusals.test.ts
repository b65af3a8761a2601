/**
 * The cost of refused requests. What a crowd gets is in test/conformance/quotas.ts.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshAddress } from '../conformance/caller.ts';
import { awayFromMidnight } from '../conformance/crowd.ts';
import { integerHeader, quotaOf } from '../conformance/fields.ts';
import { emptyBlog } from '../service/blogs.ts';
import { serveWatched, type WatchedWorker } from './watched-worker.ts';

const LIMIT = 15;
const BURST = 5;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker: WatchedWorker;
beforeAll(async () => {
  await awayFromMidnight();
  const day = { address: 50, user: LIMIT, admin: 1000 };
  worker = await serveWatched(await emptyBlog(), { limits: { day, minute: 30 } });
});
afterAll(() => worker.service.close());

test('a caller over the minute limit is refused from memory until it ends', async () => {
  await worker.watch({ clock: Date.now() }); // However long the requests take.
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
    expect(integerHeader(reply, 'Retry-After')).toBeLessThanOrEqual(60);
  }
  await worker.watch({ clockOffset: 60_000 });
  expect((await worker.get('/me', { address })).status).toBe(200);
  expect((await worker.watch({ clockOffset: 0, clock: 0 })).objectRequests).toBe(1);
});

test('so is a caller over the daily limit, and a new isolate asks once', async () => {
  const [key = ''] = await worker.makeKeys(['exhausted']);
  await Promise.all(Array.from({ length: LIMIT + 1 }, () => worker.get('/me', { key })));
  await worker.watch({ forget: true });
  for (let i = 0; i < BURST; i++) expect((await worker.get('/me', { key })).status).toBe(429);
  expect((await worker.watch()).objectRequests).toBe(1);

  await worker.watch({ clockOffset: 3_600_000 });
  const later = await worker.get('/me', { key });
  const midnightIsNear = 86_400_000 - (Date.now() % 86_400_000) < 3_700_000;
  if (!midnightIsNear) {
    expect(later.status).toBe(429);
    expect(later.header('RateLimit')).toContain('"minute";r=30;t=0'); // The headers stay correct.
  }
  await worker.watch({ clockOffset: 86_400_000 });
  expect((await worker.get('/me', { key })).status).toBe(200);
  await worker.watch({ clockOffset: 0 });
});
