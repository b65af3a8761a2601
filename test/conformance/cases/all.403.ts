import { describe, expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { ENDPOINTS, OPENS, type Cases } from './suite.ts';

const OWNERS = { 'blog:read': 'blog', 'taxonomy:read': 'taxonomy', 'authors:read': 'authors' } as const;
const permissions = ['blog:read', 'taxonomy:read', 'authors:read'] as const;

/** Each permission opens only its own endpoints. */
export const all403: Cases = (stage, keys) => {
  describe.each(permissions)('a key with only %s', (permission) => {
    const get = (path: string, method = 'GET') =>
      stage().caller.get(path, { method, key: keys()[OWNERS[permission]].key });

    test.each(['', '/me', ...OPENS[permission]])('may "%s"', async (path) => {
      expect([200, 404]).toContain((await get(path)).status);
    });

    test.each(permissions.filter((other) => other !== permission).flatMap((other) => OPENS[other]))(
      'may not %s',
      async (path) => {
        const before = quotaOf(await get('/me'));
        const reply = await get(path);
        expect(reply.status).toBe(403);
        expect(failure.parse(reply.json).message).toMatch(/(?:blog|taxonomy|authors):read/);
        expect(quotaOf(reply)).toMatchObject({ limit: before.limit, used: before.used + 1 });
        expect((await get(path, 'HEAD')).status).toBe(403);
      },
    );
  });

  test('without a key, every endpoint is reachable', async () => {
    for (const path of ENDPOINTS) expect((await stage().caller.get(path)).status, path).toBe(200);
  });
};
