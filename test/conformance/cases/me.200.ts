import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { me, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /me. */
export const me200: Cases = (stage, keys) => {
  describe('/me: 200', () => {
    test.each(['full', 'second', 'blog', 'taxonomy', 'authors', 'admin'] as const)(
      'has the key’s name, prefix and scopes: %s',
      async (kind) => {
        const created = keys()[kind];
        const reply = await stage().caller.get('/me', { key: created.key });
        const { data } = success(me).parse(reply.json);
        expect(data.key?.name).toBe(created.name);
        expect(data.key?.prefix).toBe(created.prefix);
        expect(created.key.startsWith(`${created.prefix}_`)).toBe(true);
        expect(data.key?.scopes.toSorted()).toEqual(created.scopes.toSorted());
      },
    );

    test('has the quota of the headers, including this request', async () => {
      const { key } = keys().full;
      const before = quotaOf(await stage().caller.get('/posts', { key }));
      const reply = await stage().caller.get('/me', { key });
      const { limit, used, remaining } = quotaOf(reply);
      expect(success(me).parse(reply.json).data.quota).toEqual({ limit, used, remaining });
      expect(used).toBe(before.used + 1);
    });

    test('without a key, key is null and the quota is the address’s', async () => {
      const address = freshAddress();
      await stage().caller.get('/tags', { address });
      const reply = await stage().caller.get('/me', { address });
      expect(reply.status).toBe(200);
      expect(success(me).parse(reply.json).data).toEqual({
        key: null,
        quota: { limit: 1_000_000, used: 2, remaining: 999_998 },
      });
    });
  });
};
