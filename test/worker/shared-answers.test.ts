/**
 * Answers in the location's cache, if callers without a key have no limits: counted in workerd.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { send } from '../service/client.ts';
import { serveWatched, type WatchedWorker } from './watched-worker.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NOTHING = { keys: [], objectRequests: 0, rowsWritten: 0, bucketReads: 0 };
const PREFIX = '/api/public/v1';

let worker: WatchedWorker;
const folder = folderUntil(afterAll);

beforeAll(async () => {
  const db = join(folder, 'blog.db');
  shortBlog(db, 60, 5);
  const limits = { day: { address: null, user: 1000 }, minute: { address: null, user: 1000 } };
  worker = await serveWatched({ name: 'shared', db }, { limits });
});
afterAll(() => worker?.service.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(worker.service.url, {
    method,
    path: PREFIX + path,
    headers: { ...worker.service.from('192.0.2.1'), ...headers },
  });

/** Answers are cached as long as the pointer: it is read again. */
let clockOffset = 0;
const readPointer = () => worker.watch({ clockOffset: (clockOffset += 10_000) });

test('a caller without limits costs no call, and a cached answer costs no read either', async () => {
  await worker.watch({ forget: true, emptyCache: true });
  await readPointer();
  const first = await ask('/posts?per_page=3');
  expect(await worker.watch()).toMatchObject({ objectRequests: 0 });
  await worker.watch({ forget: true });
  const again = await ask('/posts?per_page=3');
  expect(await worker.watch()).toMatchObject(NOTHING);
  expect(again.text).toBe(first.text);
  expect(again.header('etag')).toBe(first.header('etag'));
  expect(again.header('cache-control')).toBe('public, max-age=60, s-maxage=60');
  expect(again.header('x-quota-limit')).toBe('2147483647');
});

test('HEAD and If-None-Match are answered from it, If-Match is not', async () => {
  await readPointer();
  const { text } = await ask('/tags');
  await worker.watch({ forget: true });
  const head = await ask('/tags', {}, 'HEAD');
  expect([head.status, head.text, head.header('content-length')]).toEqual([
    200,
    '',
    String(Buffer.byteLength(text)),
  ]);
  const etag = head.header('etag') ?? '';
  const same = await ask('/tags', { 'if-none-match': `"other", W/${etag}` });
  expect([same.status, same.text, same.header('etag')]).toEqual([304, '', etag]);
  expect(await worker.watch()).toMatchObject(NOTHING);
  expect((await ask('/tags', { 'if-match': '"other"' })).status).toBe(412);
});

test('a key gets its own answer, which is not cached', async () => {
  const [key = ''] = await worker.makeKeys(['reader']);
  await ask('/categories');
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    const reply = await ask('/categories', headers);
    expect(reply.header('cache-control')).toBe('private, max-age=60');
    expect(reply.header('x-quota-limit')).toBe('1000');
  }
  expect((await ask('/categories', { 'x-api-key': 'opk_wrong' })).status).toBe(401);

  await ask('/authors', { 'x-api-key': key });
  expect((await ask('/authors')).header('x-quota-limit')).toBe('2147483647');
});

test('errors, /me and paths outside of the interface are not cached', async () => {
  for (const path of ['/posts/none', '/me', '/posts?page=x']) {
    await ask(path);
    const reply = await ask(path);
    expect(reply.header('cache-control'), path).toBe('no-store');
  }
});

test('a new article appears within seconds, when the cached answer expires', async () => {
  const before = await ask('/posts?per_page=1');
  const { openForWriting } = await import('../../data/database.ts');
  const db = openForWriting(worker.service.db);
  db.exec("UPDATE posts SET title = title || ' (changed)'");
  db.close();
  await worker.service.publish();
  await expect
    .poll(async () => (await ask('/posts?per_page=1')).text, { interval: 500 })
    .not.toBe(before.text);
});
