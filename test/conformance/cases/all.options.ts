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
    test.each(ENDPOINTS)('answers a preflight on "%s"', async (path) => {
      const reply = await stage().caller.get(path, { method: 'OPTIONS', headers: PREFLIGHT });
      expect([200, 204]).toContain(reply.status);
      expect(listHeader(reply, 'Access-Control-Allow-Methods')).toEqual(
        expect.arrayContaining(['get', 'head']),
      );
      expect(listHeader(reply, 'Access-Control-Allow-Headers')).toEqual(
        expect.arrayContaining(['authorization', 'x-api-key', 'if-none-match']),
      );
    });

    test.each([
      'content-type',
      'x-requested-with,traceparent',
      'cache-control, pragma ,authorization',
      'if-match,if-modified-since,x-api-key',
      "a!#$%&'*+.^_`|~-1",
    ])('lets a browser send harmless headers: %s', async (asked) => {
      const headers = { ...PREFLIGHT, 'access-control-request-headers': asked };
      const reply = await stage().caller.get('/posts', { method: 'OPTIONS', headers });
      expect(reply.status).toBe(204);
      // Fetch Standard, "CORS-preflight fetch", step 7: fails for a header name that is not in the list.
      const allowed = new Set(listHeader(reply, 'Access-Control-Allow-Headers'));
      for (const name of asked.split(',')) expect(allowed).toContain(name.trim());
      expect(listHeader(reply, 'Vary')).toContain('access-control-request-headers');
    });

    test.each(['a b', 'x:y', '(', 'content-type,,', `x-${'y'.repeat(2000)}`, 'é', '"*"'])(
      'does not repeat invalid header names: %s',
      async (asked) => {
        const headers = { ...PREFLIGHT, 'access-control-request-headers': asked };
        const reply = await stage().caller.get('/posts', { method: 'OPTIONS', headers });
        expect(reply.status).toBe(204);
        expect(listHeader(reply, 'Access-Control-Allow-Headers')).toEqual([
          'authorization',
          'x-api-key',
          'if-match',
          'if-none-match',
        ]);
      },
    );

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
