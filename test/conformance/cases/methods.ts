import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { listHeader, quotaOf } from '../fields.ts';
import { ENDPOINTS, type Cases } from './suite.ts';

const PREFLIGHT = {
  origin: 'https://reader.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization,x-api-key,if-none-match',
};

/** HEAD is GET without the body (RFC 9110, 9.3.2); OPTIONS is the preflight of a browser before it sends a key. */
export const methods: Cases = (stage, keys) => {
  test.each([...ENDPOINTS, '/posts?q=a&page=2', '/posts?page=0', '/posts/nothing-like-it', '/nothing'])(
    'HEAD returns the headers of GET without the body: "%s"',
    async (path) => {
      const address = freshAddress();
      const get = await stage().caller.get(path, { address });
      const head = await stage().caller.get(path, { address, method: 'HEAD' });
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['Content-Type', 'ETag', 'Cache-Control', 'Vary', 'Link'])
        expect(head.header(name), name).toBe(get.header(name));
      if (head.header('Content-Length') !== undefined && path !== '/me')
        expect(head.header('Content-Length')).toBe(String(Buffer.byteLength(get.text)));
      expect(quotaOf(head).used).toBe(quotaOf(get).used + 1);
    },
  );

  describe('OPTIONS', () => {
    test.each(ENDPOINTS)('lets a browser send any header to "%s"', async (path) => {
      const reply = await stage().caller.get(path, { method: 'OPTIONS', headers: PREFLIGHT });
      expect(reply.status).toBe(204);
      expect(listHeader(reply, 'Access-Control-Allow-Methods')).toEqual(
        expect.arrayContaining(['get', 'head']),
      );
      // Fetch Standard, "CORS-preflight fetch": `*` is all but Authorization, since credentials are not allowed.
      expect(listHeader(reply, 'Access-Control-Allow-Headers')).toEqual(
        expect.arrayContaining(['authorization', 'x-api-key', 'if-none-match', '*']),
      );
    });

    test('is not counted, with a key or without', async () => {
      const address = freshAddress();
      const { key } = keys().full;
      await stage().caller.get('/posts', { address });
      const before = quotaOf(await stage().caller.get('/posts', { key })).used;
      for (let times = 0; times < 5; times += 1) {
        const reply = await stage().caller.get('/posts', { method: 'OPTIONS', address, headers: PREFLIGHT });
        expect(quotaOf(reply).used).toBe(1);
        await stage().caller.get('/me', { method: 'OPTIONS', key });
      }
      expect(quotaOf(await stage().caller.get('/posts', { address })).used).toBe(2);
      expect(quotaOf(await stage().caller.get('/posts', { key })).used).toBe(before + 1);
    });
  });
};
