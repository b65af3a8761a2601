import { describe, expect, test } from 'vitest';
import { overview, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET of the prefix itself. */
export const overview200: Cases = (stage, keys) => {
  const read = async (key?: string) => {
    const reply = await stage().caller.get('', key === undefined ? {} : { key });
    expect(reply.status).toBe(200);
    return success(overview).parse(reply.json).data;
  };

  describe('overview: 200', () => {
    test('lists every endpoint as METHOD and path below the prefix', async () => {
      const { endpoints } = await read();
      const paths = endpoints.map((endpoint) => endpoint.replace(/\?.*$/, ''));
      expect(new Set(paths.map((path) => path.replace(/^(GET) \/?$/, '$1 /')))).toEqual(
        new Set([
          'GET /',
          'GET /me',
          'GET /posts',
          'GET /posts/{slug}',
          'GET /changes',
          'GET /categories',
          'GET /tags',
          'GET /authors',
          'GET /authors/{username}',
        ]),
      );
    });

    test('describes each permission and its endpoints', async () => {
      const { permissions } = await read();
      const opened = Object.fromEntries(
        permissions.map(({ name, endpoints }) => [name, endpoints.toSorted()]),
      );
      expect(opened).toEqual({
        'blog:read': ['GET /changes', 'GET /posts', 'GET /posts/{slug}'],
        'taxonomy:read': ['GET /categories', 'GET /tags'],
        'authors:read': ['GET /authors', 'GET /authors/{username}'],
      });
    });

    test('has the current limits: daily by kind of caller, per minute, per_page', async () => {
      const { limits } = await read();
      const numbers = [...JSON.stringify(limits).matchAll(/\d+/g)].map(Number);
      expect(numbers).toEqual(expect.arrayContaining([1_000_000, 1_000_001, 1_000_002, 1_000_003, 15, 50]));
    });

    test('is the same for every key, whatever its permissions', async () => {
      const plain = await read();
      for (const { key } of [keys().full, keys().blog, keys().taxonomy])
        expect(await read(key)).toEqual(plain);
    });
  });
};
