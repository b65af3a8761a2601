import { describe, expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { DATA_ENDPOINTS, type Cases } from './suite.ts';

/**
 * If-None-Match compares weakly, If-Match strongly; both take lists, and `*` for any (RFC 9110, 13.1.1 and 13.1.2). In place of TAG is
 * the ETag, of OPAQUE the same without `W/`, and of BARE without its quotes.
 */
const CONDITIONS: readonly (readonly [
  status: number,
  header: 'if-none-match' | 'if-match',
  value: string,
])[] = [
  [304, 'if-none-match', 'TAG'],
  [304, 'if-none-match', 'W/OPAQUE'],
  [304, 'if-none-match', 'OPAQUE'],
  [304, 'if-none-match', '*'],
  [304, 'if-none-match', '"another", TAG'],
  [304, 'if-none-match', 'W/"another",TAG,"a third"'],
  [304, 'if-none-match', '"with, comma" , , TAG'],
  [304, 'if-none-match', '"", "a", TAG, W/"b"'],
  [
    304,
    'if-none-match',
    `${Array.from({ length: 500 }, (_, i) => `"another version, ${i}"`).join(', ')}, TAG`,
  ],
  [304, 'if-none-match', `${'"'.repeat(20_000)}, TAG`],
  [200, 'if-none-match', '"another"'],
  [200, 'if-none-match', 'BARE'],
  [200, 'if-none-match', '"BAREx"'],
  [200, 'if-none-match', ''],
  [200, 'if-none-match', '"*"'],
  [200, 'if-match', 'TAG'],
  [200, 'if-match', '*'],
  [200, 'if-match', ''],
  [200, 'if-match', '"another", TAG'],
  [200, 'if-match', 'W/TAG, TAG, W/TAG'],
  [412, 'if-match', '"another"'],
  [412, 'if-match', 'W/TAG'],
  [412, 'if-match', 'W/TAG, W/TAG'],
  [412, 'if-match', 'BARE'],
  [412, 'if-match', '"*"'],
];

export const all304: Cases = (stage, keys) => {
  const PATHS = [...DATA_ENDPOINTS, '/posts?q=a&sort=old', '/authors?page=2&per_page=3', '/posts?page=999'];
  describe.each(PATHS)('conditions on "%s"', (path) => {
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      stage().caller.get(path, { method, key: keys().full.key, headers });
    const tagOf = async () => (await ask()).header('ETag') ?? '';

    test('the ETag is stable', async () => {
      expect(await tagOf()).toMatch(/^(?:W\/)?"[^"]+"$/);
      expect(await tagOf()).toBe(await tagOf());
    });

    test.each(CONDITIONS)('%d for %s: %s', async (status, header, value) => {
      const etag = await tagOf();
      const opaque = etag.replace(/^W\//, '');
      const written = value
        .replaceAll('TAG', etag)
        .replaceAll('OPAQUE', opaque)
        .replaceAll('BARE', opaque.slice(1, -1));
      const { used } = quotaOf(await ask());
      for (const [i, method] of ['GET', 'HEAD'].entries()) {
        const reply = await ask({ [header]: written }, method);
        expect([reply.status, reply.header('ETag')]).toEqual([status, etag]);
        expect(quotaOf(reply).used).toBe(used + 1 + i);
        expect(reply.text === '').toBe(status === 304 || method === 'HEAD');
        if (status === 412 && method === 'GET')
          expect(failure.parse(reply.json).message).toContain('If-Match');
      }
    });

    test('If-Match is evaluated before If-None-Match (13.2.2), and dates are ignored (13.1.3, 13.1.4)', async () => {
      const etag = await tagOf();
      expect((await ask({ 'if-match': '"another"', 'if-none-match': etag })).status).toBe(412);
      expect((await ask({ 'if-match': etag, 'if-none-match': etag })).status).toBe(304);
      // There is no Last-Modified.
      expect((await ask({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200);
      expect((await ask({ 'if-modified-since': new Date().toUTCString() })).status).toBe(200);
    });
  });

  test('If-Match on /me, which has no ETag', async () => {
    const ask = async (ifMatch: string) =>
      (await stage().caller.get('/me', { headers: { 'if-match': ifMatch } })).status;
    expect(await ask('*')).toBe(200);
    expect(await ask('"any"')).toBe(412);
  });

  test('If-Match never changes an error (13.2.1)', async () => {
    const headers = { 'if-match': '"another"' };
    expect((await stage().caller.get('/posts/nothing-like-it', { headers })).status).toBe(404);
    expect((await stage().caller.get('/posts?page=0', { headers })).status).toBe(400);
    expect((await stage().caller.get('/posts', { headers, method: 'OPTIONS' })).status).toBe(204);
  });

  describe('If-None-Match elsewhere', () => {
    test('never makes an error a 304', async () => {
      const ask = async (path: string, key?: string) => {
        const headers = { 'if-none-match': '*' };
        return (await stage().caller.get(path, key === undefined ? { headers } : { headers, key })).status;
      };
      expect(await ask('/posts/nothing-like-it')).toBe(404);
      expect(await ask('/posts?page=0')).toBe(400);
      expect(await ask('/posts', 'no-key')).toBe(401);
      expect(await ask('/posts', keys().authors.key)).toBe(403);
    });

    test('/me is never cached', async () => {
      const reply = await stage().caller.get('/me', { headers: { 'if-none-match': '*' } });
      expect(reply.status).toBe(200);
    });

    test('different answers have different ETags', async () => {
      const paths = [
        ...DATA_ENDPOINTS,
        '/posts?page=2',
        '/posts?sort=old',
        '/posts?per_page=14',
        '/posts?q=a',
        '/posts/nothing-set',
      ];
      const tags = await Promise.all(
        paths.map(async (path) => (await stage().caller.get(path)).header('ETag')),
      );
      expect(new Set(tags).size).toBe(paths.length);
    });
  });
};
