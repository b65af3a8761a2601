import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { listHeader, quotaOf } from '../fields.ts';
import { ENDPOINTS, type Cases } from './suite.ts';

const PREFLIGHT = {
  origin: 'https://reader.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization,x-api-key,if-none-match',
};

/** The preflight of a browser before it sends a key. */
export const allOptions: Cases = (stage, keys) => {
  describe('OPTIONS', () => {
    test.each(ENDPOINTS)('answers a preflight on "%s": a browser may send any header', async (path) => {
      const reply = await stage().caller.get(path, { method: 'OPTIONS', headers: PREFLIGHT });
      expect(reply.status).toBe(204);
      expect(listHeader(reply, 'Access-Control-Allow-Methods')).toEqual(
        expect.arrayContaining(['get', 'head']),
      );
      // Fetch Standard, "CORS-preflight fetch": `*` is all but Authorization, since credentials are not allowed.
      expect(listHeader(reply, 'Access-Control-Allow-Headers')).toEqual(
        expect.arrayContaining(['*', 'authorization', 'x-api-key', 'if-none-match']),
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

  test('pages of another origin may read a reply', async () => {
    const reply = await stage().caller.get('/posts', { headers: { origin: 'https://reader.example' } });
    expect(reply.header('Access-Control-Allow-Origin')).toBe('*');
  });
};
