/**
 * The Worker's limits under parallel requests, and the cost of refused requests.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshAddress } from '../conformance/caller.ts';
import { awayFromMidnight, served, upTo, usedBy } from '../conformance/crowd.ts';
import { integerHeader, quotaOf } from '../conformance/fields.ts';
import { emptyBlog } from '../service/blogs.ts';
import { serveWatched, type WatchedWorker } from './watched-worker.ts';

const LIMIT = 15;
const ACCOUNTS = 50;
const REQUESTS = 1000;
const BURST = 5;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker: WatchedWorker;
beforeAll(async () => {
  await awayFromMidnight();
  const day = { address: 50, user: LIMIT, admin: 1000 };
  worker = await serveWatched(await emptyBlog(), { limits: { day, minute: 30 } });
});
afterAll(() => worker.service.close());

test(`of ${REQUESTS} parallel requests from ${ACCOUNTS} accounts each gets exactly its limit`, async () => {
  const keys = await worker.makeKeys(Array.from({ length: ACCOUNTS }, (_, i) => `account ${i}`));
  const replies = await Promise.all(
    Array.from({ length: REQUESTS }, async (_, i) => ({
      account: i % ACCOUNTS,
      reply: await worker.get('/posts', { key: keys[i % ACCOUNTS] ?? '' }),
    })),
  );
  for (let account = 0; account < ACCOUNTS; account++) {
    const own = replies.filter((one) => one.account === account).map(({ reply }) => reply);
    expect(usedBy(served(own))).toEqual(upTo(LIMIT));
    expect(own.filter(({ status }) => status === 429)).toHaveLength(REQUESTS / ACCOUNTS - LIMIT);
  }
});

test('of parallel requests while the object restarts, nobody gets more than its limit', async () => {
  const accounts = Array.from({ length: 10 }, (_, i) => `restarted ${i}`);
  const keys = await worker.makeKeys(accounts);
  const used = await Promise.all(
    accounts.map(async (account, i) => {
      const own: number[] = [];
      for (let round = 0; round < LIMIT; round++) {
        const asked = Array.from({ length: 1 + ((i + round) % 4) }, () =>
          worker.get('/posts', { key: keys[i] ?? '' }),
        );
        if ((i + round) % 3 === 0) await worker.restart(`account:${account}`);
        own.push(...usedBy(served(await Promise.all(asked))));
      }
      return own;
    }),
  );
  for (const own of used) {
    expect(new Set(own).size).toBe(own.length);
    expect(Math.max(...own)).toBeLessThanOrEqual(LIMIT);
    expect(own.length).toBeGreaterThan(0);
  }
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
    expect(integerHeader(reply, 'Retry-After')).toBeLessThanOrEqual(60);
  }
  await worker.watch({ clockOffset: 60_000 });
  expect((await worker.get('/me', { address })).status).toBe(200);
  expect((await worker.watch({ clockOffset: 0 })).objectRequests).toBe(1);
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
