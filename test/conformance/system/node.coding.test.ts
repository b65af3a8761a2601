/**
 * Compressed replies. At Cloudflare, the edge compresses.
 */
import { Agent } from 'undici';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectHash } from '../../../common/object-hash.ts';
import { sampleBlog } from '../../service/blogs.ts';
import type { Service } from '../../service/home.ts';
import { nodeHome } from '../../service/node-home.ts';

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const agent = new Agent();
let service: Service;
let key: string;

beforeAll(async () => {
  service = await nodeHome.serve(await sampleBlog(), { limits: { day: { user: 10_000 }, minute: 10_000 } });
  ({ key } = await service.createKey({ account: 'ada', name: 'test' }));
});
afterAll(() => service.close());

async function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const reply = await agent.request({
    origin: service.url,
    path: `/api/public/v1${path}`,
    method,
    headers: { 'x-api-key': key, ...headers },
  });
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: Buffer.from(await reply.body.arrayBuffer()),
  };
}

describe.each(['br', 'gzip'] as const)('Accept-Encoding: %s', (coding) => {
  test('the body decodes to the same text, is smaller, and has its own ETag', async () => {
    const [plain, coded] = [await get('/posts'), await get('/posts', { 'accept-encoding': coding })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(coded.headers['content-length']).toBe(String(coded.body.length));
    expect(coded.body.length).toBeLessThan(plain.body.length / 2);
    expect(DECODE[coding](coded.body).equals(plain.body)).toBe(true);
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
    for (const reply of [plain, coded]) expect(reply.headers['vary']).toMatch(/\bAccept-Encoding\b/);
  });

  test('conditions compare the ETag of this coding, and no other', async () => {
    const accepted = { 'accept-encoding': coding };
    const tag = String((await get('/posts', accepted)).headers.etag);
    const again = await get('/posts', { ...accepted, 'if-none-match': tag });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, tag, 0]);
    expect(again.headers['content-encoding']).toBeUndefined();
    expect((await get('/posts', { 'if-none-match': tag })).status).toBe(200);
    expect((await get('/posts', { ...accepted, 'if-match': `"x", ${tag}` })).status).toBe(200);
    expect((await get('/posts', { 'if-match': tag })).status).toBe(412);
    for (const other of [`W/${tag}`, '"x"', tag.replace(`-${coding}`, '-other')]) {
      const refused = await get('/posts', { ...accepted, 'if-match': other });
      expect([refused.status, refused.headers.etag], other).toEqual([412, tag]);
      expect(refused.headers['content-encoding']).toBeUndefined();
    }
  });

  test('HEAD returns the headers of GET, without the body', async () => {
    const accepted = { 'accept-encoding': coding };
    const [head, whole] = [await get('/posts', accepted, 'HEAD'), await get('/posts', accepted)];
    expect(head.body.length).toBe(0);
    for (const name of ['etag', 'content-encoding', 'content-length', 'vary'])
      expect(head.headers[name], name).toBe(whole.headers[name]);
  });

  test('small bodies, errors and private answers are not compressed', async () => {
    for (const path of ['/posts?q=nothingatallhasthis', '/posts?page=0', '/posts/none-such', '/me']) {
      const reply = await get(path, { 'accept-encoding': coding });
      expect(reply.headers['content-encoding'], path).toBeUndefined();
      expect(() => JSON.parse(reply.body.toString()), path).not.toThrow();
    }
  });

  test('parallel requests get the same bytes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => get('/posts?per_page=20&page=2', { 'accept-encoding': coding })),
    );
    const plain = await get('/posts?per_page=20&page=2');
    for (const { body } of replies) expect(DECODE[coding](body).equals(plain.body)).toBe(true);
  });
});

test('the ETag of a list is a collision-resistant hash of its body', async () => {
  expect(objectHash('')).toBe('4oymiquy7qobjgx36tejs35zeq'); // The first 130 bits of SHA-256.
  for (const path of ['/posts?per_page=3', '/authors', '/tags', '/posts?q=offprint']) {
    const { headers, body } = await get(path);
    expect(headers.etag).toBe(`"${objectHash(body.toString())}"`);
  }
});

test('a body that is sent again and again has the same bytes', async () => {
  const list = (await get('/posts?per_page=50')).body.toString();
  const slugs = [...list.matchAll(/"slug":"([^"]+)","title"/g)].slice(0, 10);
  expect((await get('/tags')).body.toString()).toMatch(/[^\0-\x7f]/); // Not all is ASCII.
  for (const coding of ['identity', 'gzip'])
    for (const path of ['/posts?per_page=50', '/tags', ...slugs.map(([, slug]) => `/posts/${slug}`)]) {
      const first = await get(path, { 'accept-encoding': coding });
      expect(first.headers['content-length']).toBe(String(first.body.length));
      for (let i = 0; i < 3; i++) {
        const { body, headers } = await get(path, { 'accept-encoding': coding });
        expect([body.equals(first.body), headers.etag]).toEqual([true, first.headers.etag]);
      }
    }
});
