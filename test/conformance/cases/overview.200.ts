import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { me, overview, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** Endpoints by the permission that opens them. */
const OPENED = {
  'blog:read': ['GET /changes', 'GET /posts', 'GET /posts/{slug}'],
  'taxonomy:read': ['GET /categories', 'GET /tags'],
  'authors:read': ['GET /authors', 'GET /authors/{username}'],
};

/** GET of the prefix itself, and GET /me. */
export const overview200: Cases = (stage, keys) => {
  test('the overview has every endpoint, permission and limit, for every caller', async () => {
    const read = async (key?: string) => {
      const reply = await stage().caller.get('', key === undefined ? {} : { key });
      return success(overview).parse(reply.json).data;
    };
    const plain = await read();
    const endpoints = plain.endpoints.map((endpoint) => endpoint.replace(/\?.*$/, ''));
    expect(new Set(endpoints.map((endpoint) => endpoint.replace(/^GET \/?$/, 'GET /')))).toEqual(
      new Set(['GET /', 'GET /me', ...Object.values(OPENED).flat()]),
    );
    expect(
      Object.fromEntries(plain.permissions.map(({ name, endpoints: of }) => [name, of.toSorted()])),
    ).toEqual(OPENED);
    const numbers = [...JSON.stringify(plain.limits).matchAll(/\d+/g)].map(Number);
    expect(numbers).toEqual(expect.arrayContaining([1_000_000, 1_000_001, 1_000_002, 1_000_003, 15, 50]));
    for (const { key } of [keys().full, keys().blog, keys().taxonomy]) expect(await read(key)).toEqual(plain);
  });

  describe('/me: 200', () => {
    test.each(['full', 'second', 'blog', 'taxonomy', 'authors', 'admin'] as const)(
      'has the key’s name, prefix and scopes: %s',
      async (kind) => {
        const { key, name, prefix, scopes } = keys()[kind];
        const { data } = success(me).parse((await stage().caller.get('/me', { key })).json);
        const shown = { ...data.key, scopes: data.key?.scopes.toSorted() };
        expect(shown).toEqual({ name, prefix, scopes: scopes.toSorted() });
        expect(key.startsWith(`${prefix}_`)).toBe(true);
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
      expect(success(me).parse(reply.json).data).toEqual({
        key: null,
        quota: { limit: 1_000_000, used: 2, remaining: 999_998 },
      });
    });
  });
};
