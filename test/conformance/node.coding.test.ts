/** Compressed replies, which on Cloudflare its own edge makes. */
import { Agent } from 'undici';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleBlog } from '../service/blogs.ts';
import type { Service } from '../service/home.ts';
import { nodeHome } from '../service/node-home.ts';

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
  test('the body is the same, smaller, under a tag of its own', async () => {
    const [plain, coded] = [await get('/posts'), await get('/posts', { 'accept-encoding': coding })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(coded.headers['content-length']).toBe(String(coded.body.length));
    expect(coded.body.length).toBeLessThan(plain.body.length / 2);
    expect(DECODE[coding](coded.body).equals(plain.body)).toBe(true);
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
    for (const reply of [plain, coded]) expect(reply.headers['vary']).toMatch(/\bAccept-Encoding\b/);
  });

  test('304 for the tag of this coding, and for no other', async () => {
    const { headers } = await get('/posts', { 'accept-encoding': coding });
    const tag = String(headers.etag);
    const again = await get('/posts', { 'accept-encoding': coding, 'if-none-match': tag });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, tag, 0]);
    expect(again.headers['content-encoding']).toBeUndefined();
    expect((await get('/posts', { 'if-none-match': tag })).status).toBe(200);
  });

  test('HEAD gives what GET gives, without its body', async () => {
    const [head, whole] = [
      await get('/posts', { 'accept-encoding': coding }, 'HEAD'),
      await get('/posts', { 'accept-encoding': coding }),
    ];
    expect(head.body.length).toBe(0);
    for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) {
      expect(head.headers[name], name).toBe(whole.headers[name]);
    }
  });

  test('small bodies, errors and private answers are left alone', async () => {
    for (const path of ['/posts?q=nothingatallhasthis', '/posts?page=0', '/posts/none-such', '/me']) {
      const reply = await get(path, { 'accept-encoding': coding });
      expect(reply.headers['content-encoding'], path).toBeUndefined();
      expect(() => JSON.parse(reply.body.toString()), path).not.toThrow();
    }
  });

  test('many at once get the same bytes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => get('/posts?per_page=20&page=2', { 'accept-encoding': coding })),
    );
    const plain = await get('/posts?per_page=20&page=2');
    for (const { body } of replies) expect(DECODE[coding](body).equals(plain.body)).toBe(true);
  });
});

test('without the header nothing is compressed', async () => {
  const { headers, body } = await get('/posts', { 'accept-encoding': 'identity' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(body.toString())).toMatchObject({ success: true });
});
