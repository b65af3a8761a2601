import { describe, expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { DATA_ENDPOINTS, type Cases } from './suite.ts';

type Header = 'if-none-match' | 'if-match';

/**
 * If-None-Match compares weakly, If-Match strongly; both take lists, and `*` for any (RFC 9110, 13.1.1 and 13.1.2). In place of TAG is
 * the ETag, of OPAQUE the same without `W/`, and of BARE without its quotes.
 */
const CONDITIONS: readonly (readonly [status: number, header: Header, value: string])[] = [
  [304, 'if-none-match', 'TAG'],
  [304, 'if-none-match', 'W/OPAQUE'],
  [304, 'if-none-match', 'OPAQUE'],
  [304, 'if-none-match', '*'],
  [304, 'if-none-match', '"another", TAG'],
  [304, 'if-none-match', 'W/"another",TAG,"a third"'],
  [304, 'if-none-match', '"with, comma" , , TAG'],
  [304, 'if-none-match', '"", "a", TAG, W/"b"'],
  [304, 'if-none-match', `${'"another version", '.repeat(500)}TAG`],
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

/** /me has no ETag and is never cached, and no condition changes an error (13.2.1). */
const ELSEWHERE: readonly (readonly [status: number, path: string, header: Header, value: string])[] = [
  [200, '/me', 'if-match', '*'],
  [412, '/me', 'if-match', '"any"'],
  [200, '/me', 'if-none-match', '*'],
  [404, '/posts/nothing-like-it', 'if-match', '"another"'],
  [404, '/posts/nothing-like-it', 'if-none-match', '*'],
  [400, '/posts?page=0', 'if-match', '"another"'],
  [400, '/posts?page=0', 'if-none-match', '*'],
];

export const all304: Cases = (stage, keys) => {
  const PATHS = [...DATA_ENDPOINTS, '/posts?q=a&sort=old', '/authors?page=2&per_page=3', '/posts?page=999'];
  describe.each(PATHS)('conditions on "%s"', (path) => {
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      stage().caller.get(path, { method, key: keys().full.key, headers });
    const tagOf = async () => (await ask()).header('ETag') ?? '';

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

  test.each(ELSEWHERE)('%d for %s with %s: %s', async (status, path, header, value) => {
    expect((await stage().caller.get(path, { headers: { [header]: value } })).status).toBe(status);
  });

  test('neither the key, the permission nor a preflight depends on a condition', async () => {
    const ask = async (header: Header, options: { readonly key?: string; readonly method?: string }) =>
      (await stage().caller.get('/posts', { ...options, headers: { [header]: '*' } })).status;
    expect(await ask('if-none-match', { key: 'no-key' })).toBe(401);
    expect(await ask('if-none-match', { key: keys().authors.key })).toBe(403);
    expect(await ask('if-match', { method: 'OPTIONS' })).toBe(204);
  });

  test('different answers have different ETags', async () => {
    const variants = ['page=2', 'sort=old', 'per_page=14', 'q=a'].map((query) => `/posts?${query}`);
    const paths = [...DATA_ENDPOINTS, ...variants, '/posts/nothing-set'];
    const tags = await Promise.all(
      paths.map(async (path) => (await stage().caller.get(path)).header('ETag')),
    );
    expect(new Set(tags).size).toBe(paths.length);
  });
};
