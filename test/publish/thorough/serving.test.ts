/**
 * `serve --from`: what a gateway reads from its store, and what it serves if the store is away or files are damaged.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parseTarget } from '../../../common/bucket/target.ts';
import { S3Client } from '../../../common/bucket/s3-client.ts';
import { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import { formatKey, RANDOM_CHARACTERS } from '../../../contract/api-key.ts';
import { keyPath } from '../../../contract/key-record.ts';
import { FileCache } from '../../../gateway/node/file-cache.ts';
import { S3Bucket } from '../../../gateway/node/s3-bucket.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { SEED } from '../../random-cases.ts';
import { BUCKET_ENVIRONMENT, CREDENTIALS } from '../../service/bucket-credentials.ts';
import { type Reply, send } from '../../service/client.ts';
import { offprint } from '../../service/command.ts';
import { createKey } from '../../service/key-commands.ts';
import { type Server, startServer } from '../../service/server-process.ts';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { type Proxy, startProxy } from '../proxy.ts';
import { builtBlog, type PublishedBlog, publishTo } from '../publishing.ts';

/** With a search index: more objects than those of the pack. */
const POSTS = 300;

let store: MemoryStore;
let proxy: Proxy;
let blog: PublishedBlog;
let to: string;
/** The folder of the gateway. */
let local: string;
let config: string;
const servers: Server[] = [];
let prefixes = 0;

beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());
beforeEach(async () => {
  proxy = await startProxy(store.endpoint);
  blog = await builtBlog(POSTS);
  to = `s3://${store.bucket}/serving-${(prefixes += 1)}`;
  await publishTo(store.endpoint, to, blog.out);
  const folder = temporaryFolder();
  local = join(folder, 'gateway');
  config = join(folder, 'offprint.json');
  writeFileSync(config, '{ "trusted_proxies": 1 }');
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.end('SIGKILL')));
  await proxy.close();
});

const argumentsOf = (...more: string[]) => [
  ...['serve', '--from', to, '--endpoint', proxy.endpoint, '--out', local, '--config', config],
  ...['--port', '0', ...more],
];

async function serve(...more: string[]): Promise<Server> {
  const server = await startServer(argumentsOf(...more), undefined, BUCKET_ENVIRONMENT);
  servers.push(server);
  return server;
}

let callers = 0;

/** A request of a new address, so that no limit is reached. */
function get(server: Server, path: string, key?: string): Promise<Reply> {
  callers += 1;
  const address = { 'x-forwarded-for': `198.51.${callers >> 8}.${callers & 255}` };
  const headers = key === undefined ? address : { ...address, 'x-api-key': key };
  return send(server.url, { path: PREFIX + encodeURI(path), headers });
}

async function createdKey(): Promise<string> {
  const files = ['--db', blog.db, '--out', blog.out, '--to', to, '--endpoint', store.endpoint];
  return (await createKey(files, { account: 'ada', name: 'site' }, BUCKET_ENVIRONMENT)).key;
}

/** Slugs of the last page, whose summaries are in no pack that is read first. */
async function slugs(server: Server, page: number): Promise<string[]> {
  const { status, json } = await get(server, `/posts?per_page=10&page=${page}`);
  expect(status).toBe(200);
  const { data } = json as { data: { items: { slug: string }[] } };
  return data.items.map(({ slug }) => slug);
}

/** Requests each article. */
async function readAll(server: Server): Promise<void> {
  for (let page = 1; page <= POSTS / 10; page += 1)
    for (const slug of await slugs(server, page)) await get(server, `/posts/${slug}`);
}

/** Files with copies below a folder of the cache. */
function copies(folder: string): string[] {
  const root = join(local, 'cache', 'offprint', folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const keysOf = ({ seen }: Proxy) => seen.map(({ url }) => url.replace(/^.*serving-\d+\//, ''));

test('a fresh machine is ready after one read, and asks for the pointer by its ETag', async () => {
  const server = await serve();
  expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
  expect(await slugs(server, 1)).toHaveLength(10);
  expect(new Set(keysOf(proxy))).toEqual(new Set(['snapshot.json']));
  expect(proxy.seen.filter(({ headers }) => headers['if-none-match'] === undefined)).toHaveLength(1);

  await expect.poll(() => proxy.seen.length).toBeGreaterThan(1);
  const { url = '', headers = {} } = proxy.seen[1] ?? {};
  expect(url).toMatch(/snapshot\.json$/);
  expect(headers['if-none-match']).toMatch(/^".+"$/);

  await blog.addPost('the-news');
  await publishTo(store.endpoint, to, blog.out);
  await expect.poll(async () => (await slugs(server, 1))[0]).toBe('the-news');
});

test.each<[string, (path: string) => void]>([
  ['intact', () => undefined],
  ['altered', (path) => writeFileSync(path, readFileSync(path).fill(0x20, 10, 20))],
  ['cut short', (path) => truncateSync(path, 20)],
  ['empty', (path) => truncateSync(path, 0)],
  ['missing', (path) => rmSync(path)],
])('a copy that is %s: the store is read again only if it must be', async (state, damage) => {
  const first = await serve();
  const [slug = ''] = await slugs(first, 20);
  const article = await get(first, `/posts/${slug}`);
  expect(article.status).toBe(200);
  await expect.poll(() => copies('objects/body')).toHaveLength(1);
  await first.end('SIGTERM');
  const [path = ''] = copies('objects/body');
  const bytes = readFileSync(path);
  damage(path);

  proxy.seen.length = 0;
  const second = await serve();
  const again = await get(second, `/posts/${slug}`);
  expect([again.status, again.text]).toEqual([200, article.text]);
  const isRead = keysOf(proxy).some((key) => key.startsWith('objects/body') && path.endsWith(key));
  expect(isRead).toBe(state !== 'intact');
  await expect.poll(() => copies('objects/body')).toEqual([path]);
  await expect.poll(() => readFileSync(path).equals(bytes)).toBe(true);
});

test('a pack that is cut short in the store is not kept', async () => {
  const packs = [...store.files].filter(([key]) => key.startsWith(`${to.slice(5)}/packs/`));
  for (const [key, bytes] of packs) store.files.set(key, bytes.subarray(0, -100));
  const server = await serve();
  const listed = await slugs(server, 20);
  await expect.poll(() => copies('objects/lines')).not.toEqual([]);
  expect(copies('packs')).toEqual([]);
  await server.end('SIGTERM');
  for (const [key, bytes] of packs) store.files.set(key, bytes);
  expect(await slugs(await serve(), 20)).toEqual(listed);
  await expect.poll(() => copies('packs')).toHaveLength(1);
});

test('a pointer whose pack is cut short is followed, but not kept', async () => {
  const first = await serve();
  await expect.poll(() => copies('pointers')).toHaveLength(1);
  proxy.fault = () => 'reset';
  await blog.addPost('the-news');
  await publishTo(store.endpoint, to, blog.out);
  const name = `${to.slice(5)}/snapshot.json`;
  store.files.set(name, store.files.get(name)?.subarray(0, -100) ?? Buffer.alloc(0));
  proxy.fault = () => undefined;
  await expect.poll(async () => (await slugs(first, 1))[0]).toBe('the-news');
  await first.end('SIGTERM');
  proxy.fault = () => 'reset';
  expect((await slugs(await serve(), 1))[0]).not.toBe('the-news');
});

test('an object that is altered in the store is not served, and not kept', async () => {
  const server = await serve();
  const [slug = ''] = await slugs(server, 1);
  const posts = [...store.files].filter(([key]) => key.includes(`${to.slice(5)}/objects/body/`));
  const [key = '', bytes = Buffer.alloc(0)] =
    posts.find(([, text]) => text.toString().startsWith(`{"success":true,"data":{"slug":"${slug}"`)) ?? [];
  store.files.set(key, Buffer.from(bytes.toString().replace('"title":"', '"title":"Forged ')));
  expect((await get(server, `/posts/${slug}`)).status).toBe(500);
  expect(server.log).toContain('was altered or cut short');
  store.files.set(key, bytes);
  const article = await get(server, `/posts/${slug}`);
  expect([article.status, article.text]).toEqual([200, bytes.toString()]);
});

test('objects of a pack that is altered in the store are read from their own files', async () => {
  const packs = [...store.files.keys()].filter((key) => key.startsWith(`${to.slice(5)}/packs/`));
  for (const key of packs) {
    const text = store.files.get(key)?.toString('latin1') ?? '';
    store.files.set(key, Buffer.from(text.replaceAll(/"title":"./g, '"title":"!'), 'latin1'));
  }
  const server = await serve();
  const { text } = await get(server, '/posts?per_page=50&page=6'); // In no pack next to the pointer.
  expect(text).not.toContain('"title":"!');
  expect(text).toContain('"title":"');
});

test('serving goes on while the store is away, also after a restart', async () => {
  const key = await createdKey();
  const first = await serve();
  const [slug = '', unread = ''] = await slugs(first, 20);
  const article = await get(first, `/posts/${slug}`, key);
  expect(article.status).toBe(200);
  await expect.poll(() => copies('objects/body')).toHaveLength(1);

  proxy.fault = () => 'reset';
  await expect.poll(() => first.log).toContain('cannot be reached');
  expect((await send(first.url, { path: '/readyz' })).status).toBe(200);
  expect((await get(first, `/posts/${slug}`, key)).text).toBe(article.text);
  const absent = await get(first, `/posts/${unread}`);
  expect([absent.status, absent.header('retry-after')]).toEqual([503, '2']);
  expect(absent.json).toMatchObject({ success: false });
  const invented = await get(first, '/posts', `${key.slice(0, 4)}${'0'.repeat(key.length - 4)}`);
  expect(invented.status).toBe(401);

  await first.end('SIGTERM');
  const second = await serve();
  expect((await get(second, `/posts/${slug}`)).text).toBe(article.text);
  expect(await slugs(second, 1)).toHaveLength(10);

  proxy.fault = () => undefined;
  expect((await get(second, `/posts/${unread}`)).status).toBe(200);
});

test('look-ups of many made-up keys hold up no article', async () => {
  const server = await serve();
  const [slug = ''] = await slugs(server, 20);
  proxy.fault = ({ url }) => (url.includes('/keys/') ? 'hang' : undefined);
  const random = new Random(SEED);
  const madeUp = () => formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => random.below(62)));
  const lookUps = () => keysOf(proxy).filter((path) => path.startsWith('keys/'));
  // Not `send`, which has 32 connections.
  const ask = () => fetch(`${server.url}${PREFIX}/me`, { headers: { 'x-api-key': madeUp() } });
  const asked = Array.from({ length: 100 }, () => ask().catch(() => undefined));
  await expect.poll(() => lookUps().length).toBeGreaterThanOrEqual(8);
  expect((await get(server, `/posts/${slug}`)).status).toBe(200);
  expect(new Set(lookUps()).size).toBeLessThanOrEqual(8); // One that times out is sent again.
  await server.end('SIGKILL');
  await Promise.all(asked);
});

test('an answer of something else than the store replaces no pointer', async () => {
  const first = await serve();
  const [slug = ''] = await slugs(first, 1);
  await expect.poll(() => copies('pointers')).toHaveLength(1);
  proxy.fault = () => ({ status: 200 }); // As a login page of a network.
  await expect.poll(() => first.log).toContain('cannot be read: it is not valid JSON');
  expect(await slugs(first, 1)).toContain(slug);
  await first.end('SIGTERM');
  for (const fault of [{ status: 200 }, 'reset'] as const) {
    proxy.fault = () => fault;
    const next = await serve();
    expect(await slugs(next, 1)).toContain(slug);
    await next.end('SIGTERM');
  }
});

test('an answer of something else than the store replaces no key', async () => {
  const key = await createdKey();
  const client = new S3Client(parseTarget(to, proxy.endpoint), CREDENTIALS, {
    retry: { tries: 1, baseMs: 0, capMs: 0 },
  });
  const bucket = new S3Bucket(client, client, new FileCache(temporaryFolder(), 1e6));
  onTestFinished(() => bucket.close());
  const path = keyPath(bucket.hashKey(key));
  const record = await bucket.read(path);
  expect(record?.text).toContain('"ada"');
  for (const fault of [{ status: 200 }, 'reset'] as const) {
    proxy.fault = () => fault;
    expect(await bucket.read(path)).toEqual(record);
  }
  const fresh = new S3Bucket(client, client, new FileCache(temporaryFolder(), 1e6));
  proxy.fault = () => ({ status: 200 });
  await expect(fresh.read(path)).rejects.toMatchObject({ status: 503 });
});

test.each([
  ['in a folder', (theirs: string) => mkdirSync(theirs, { recursive: true })],
  [
    'behind a link',
    (theirs: string) => {
      mkdirSync(`${local}-theirs`);
      mkdirSync(local);
      symlinkSync(`${local}-theirs`, theirs);
    },
  ],
])('files of others %s are not removed for space', async (_, make) => {
  const theirs = join(local, 'cache');
  make(theirs);
  mkdirSync(join(theirs, 'offprint', 'objects'), { recursive: true });
  const files = ['a.png', 'offprint/b.png', 'offprint/objects/c.png'].map((name) => join(theirs, name));
  for (const file of files) {
    writeFileSync(file, Buffer.alloc(700_000));
    utimesSync(file, new Date('2020-01-01'), new Date('2020-01-01'));
  }
  const server = await serve('--cache', '1MB');
  await readAll(server);
  await server.end('SIGTERM');
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('a link in the place of the folder of copies is refused', async () => {
  mkdirSync(join(local, 'cache'), { recursive: true });
  symlinkSync(local, join(local, 'cache', 'offprint'));
  const { code, stderr } = await offprint(argumentsOf(), undefined, BUCKET_ENVIRONMENT);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: \S+cache\/offprint is a link/)]);
});

test('copies take no more than --cache', async () => {
  const server = await serve('--cache', '1MB');
  await readAll(server);
  const space = () =>
    copies('').reduce((sum, path) => {
      const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return sum + Math.ceil(size / 4096) * 4096;
    }, 0);
  expect([...store.files.keys()].filter((key) => key.startsWith(to.slice(5))).length * 4096).toBeGreaterThan(
    1e6,
  );
  await expect.poll(space).toBeLessThanOrEqual(1e6);
  expect(space()).toBeGreaterThan(5e5);
});

test.each<[string, string, Record<string, string>, number, RegExp]>([
  [
    'nothing is published',
    'other',
    {},
    1,
    /^error: Nothing is published in s3:\/\/\S+\. Run "publish" first/,
  ],
  ['credentials are missing', '', { AWS_ACCESS_KEY_ID: '' }, 1, /^error: There are no credentials/],
  ['an endpoint is missing', '', {}, 2, /--from needs --endpoint/],
])('if %s, serve ends with a message', async (_, more, environment, exit, message) => {
  to += more;
  const args = argumentsOf();
  if (exit === 2) args.splice(args.indexOf('--endpoint'), 2);
  const { code, stderr } = await offprint(args, undefined, { ...BUCKET_ENVIRONMENT, ...environment });
  expect([code, stderr]).toEqual([exit, expect.stringMatching(message)]);
});
