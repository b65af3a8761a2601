/**
 * Webhooks of `start`, checked with the reference library of Standard Webhooks.
 */
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { pointerOf } from '../../build/output.ts';
import { editing, shortBlog } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { offprint } from '../../service/command.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { type Server, startServer } from '../../service/server-process.ts';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

const eventSchema = z.strictObject({
  type: z.literal('snapshot.published'),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    snapshot: z.string(),
    posts: z.number(),
    articles: z.array(z.string()).nullable(),
    lists: z.strictObject({ categories: z.boolean(), tags: z.boolean(), authors: z.boolean() }),
  }),
});

let db: string;
let out: string;
let config: string;
let address: string;
let args: string[];
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
let status = 204;
let location: string | undefined;
let service: Server | undefined;

const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    response.writeHead(status, location === undefined ? {} : { location }).end();
  });
});

beforeEach(async () => {
  const paths = blogPaths();
  [db, out, config] = [paths.db, paths.out, join(paths.folder, 'offprint.json')];
  generateBlog(db, { posts: 12, seed: 3 });
  received = [];
  [status, location] = [204, undefined];
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const port = (receiver.address() as AddressInfo).port;
  address = `http://127.0.0.1:${port}/hook`;
  configure(address);
  args = ['start', '--db', db, '--out', out, '--config', config, '--port', '0', '--cron', '* * * * * *'];
});

afterEach(async () => {
  // Not SIGKILL, after which a build's process may still write.
  await service?.end('SIGTERM');
  receiver.close();
});

const start = async () => {
  service = await startServer(args, undefined, { OFFPRINT_WEBHOOK_SECRET: SECRET });
};

const configure = (...webhooks: readonly string[]) => writeFileSync(config, JSON.stringify({ webhooks }));

const edit = (sql: string) => editing(db, (blog) => blog.exec(sql));

/** The content of the last request, if its signature is valid. */
function last(): z.output<typeof eventSchema> {
  const { headers, body } = received.at(-1) ?? { headers: {}, body: '' };
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return eventSchema.parse(new Webhook(SECRET).verify(body, texts));
}

test('are sent once for each publish, and not if readers see no change', async () => {
  await start();
  await expect.poll(() => received.length).toBe(1);
  const { snapshot, posts } = pointerOf(out);
  expect(last()).toMatchObject({
    data: { snapshot, posts, articles: null, lists: { categories: true, tags: true, authors: true } },
  });

  const published = "SELECT slug FROM posts WHERE status = 'published' ORDER BY id";
  const slug = editing(db, (blog) => blog.prepare<[], string>(published).pluck().get());
  edit(`UPDATE posts SET views = views + 5`);
  await expect.poll(() => pointerOf(out).snapshot).not.toBe(snapshot);
  edit(`UPDATE posts SET title = title || '!' WHERE slug = '${slug}'`);
  await expect.poll(() => received.length).toBe(2);
  expect(last().data).toMatchObject({
    snapshot: pointerOf(out).snapshot,
    articles: [slug],
    lists: { categories: false, tags: false, authors: false },
  });

  // Also after a kill and a restart.
  await service?.end('SIGKILL');
  await start();
  edit(`UPDATE posts SET title = title || '?' WHERE slug = '${slug}'`);
  await expect.poll(() => received.length).toBe(3);
  expect(last().data.articles).toEqual([slug]);
});

test('tell of a rollback, and of the publish after it, as events of their own', async () => {
  await start();
  await expect.poll(() => received.length).toBe(1);
  const { snapshot } = pointerOf(out);
  edit("UPDATE posts SET title = title || '!'");
  await expect.poll(() => received.length).toBe(2);
  const articles = last().data.articles;
  for (const command of [['rollback', snapshot], ['release']]) {
    const sent = received.length;
    const { code, stderr } = await offprintInProcess(['snapshots', ...command, '--out', out]);
    expect(code, stderr).toBe(0);
    await expect.poll(() => received.length).toBe(sent + 1);
    expect(last().data).toMatchObject({ snapshot: pointerOf(out).snapshot, articles });
  }
  expect(received.length).toBe(4);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
});

test('are retried until they arrive, then list all changes, and status reports failures', async () => {
  status = 500;
  await start();
  await expect.poll(() => received.length).toBeGreaterThan(1);
  const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(1);
  const result = await offprintInProcess(['status', '--out', out]);
  expect(result.code).not.toBe(0);
  expect(result.stdout + result.stderr).toMatch(
    /webhooks.*127\.0\.0\.1:\d+ was not delivered: it answered with 500/s,
  );

  status = 200;
  await expect.poll(async () => (await offprintInProcess(['status', '--out', out])).code).toBe(0);
  expect(service?.log.match(/not notified:/g)).toHaveLength(1);
});

test.each([1000, 1001])('of %d changed articles list them up to 1,000', async (count) => {
  rmSync(db);
  shortBlog(db, 2400, 3); // If more than half change, none are listed.
  await start();
  await expect.poll(() => received.length).toBe(1);
  edit(`UPDATE posts SET title = title || '!' WHERE id IN
    (SELECT id FROM posts WHERE status = 'published' ORDER BY id LIMIT ${count})`);
  await expect.poll(() => received.length).toBe(2);
  const { articles } = last().data;
  expect(articles === null ? null : new Set(articles).size).toBe(count === 1000 ? 1000 : null);
});

test('are not redirected', async () => {
  const paths: (string | undefined)[] = [];
  const other = createServer(({ url }, response) => {
    paths.push(url);
    response.end();
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void other.close());
  status = 307;
  location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/internal`;
  await start();
  await expect.poll(() => received.length).toBeGreaterThan(1);
  await expect.poll(() => service?.log).toMatch(/was not delivered: unexpected redirect/);
  expect(paths).toEqual([]);
});

test('have addresses that no message repeats', async () => {
  status = 500;
  configure(`${address}/SECRET?token=SECRET`);
  await start();
  await expect.poll(() => service?.log).toMatch(/not notified: The webhook 127\.0\.0\.1:\d+ was not/);
  const messages = await offprintInProcess(['status', '--out', out]);
  expect(messages.stdout + messages.stderr).toMatch(/webhooks.*127\.0\.0\.1:\d+ was not/s);
  expect(messages.stdout + messages.stderr + service?.log).not.toContain('SECRET');
  await service?.end('SIGKILL');

  for (const wrong of [`http://SECRET@127.0.0.1/`, `http://u:SECRET@127.0.0.1/`, 'http://[SECRET/']) {
    configure(address, wrong);
    const { code, stdout, stderr } = await offprint(args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/webhooks\.1: must be an .* address without user name and password/),
    ]);
    expect(stdout + stderr).not.toContain('SECRET');
  }
});

test('need a key', async () => {
  const { code, stderr } = await offprint(args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/OFFPRINT_WEBHOOK_SECRET must be "whsec_" and 24 to 64 bytes in Base64/);
});
