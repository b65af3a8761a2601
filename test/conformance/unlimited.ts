import { describe, expect, test } from 'vitest';
import { oddBlog } from '../service/blogs.ts';
import type { Home, Settings } from '../service/home.ts';
import { freshAddress } from './caller.ts';
import { NO_LIMIT } from './every-reply.ts';
import { quotaOf, rateLimitOf } from './fields.ts';
import { useStage } from './stage.ts';

/** For each kind of caller, other limits are off. */
const SETTINGS: Settings = {
  limits: {
    day: { address: null, user: null, admin: 3 },
    minute: { address: null, user: 2, admin: null },
  },
};
const NOTHING_COUNTED = { limit: NO_LIMIT, used: 0, remaining: NO_LIMIT };

/**
 * Limits that are off on `home`, seen in the caller's headers. The test client checks each reply against the
 * description.
 */
export function describeUnlimited(home: Home): void {
  describe(`${home.name}: limits that are off`, () => {
    const stage = useStage(home, oddBlog, SETTINGS);
    const get = (path: string, options: { key?: string; headers?: Record<string, string> } = {}) =>
      stage().caller.get(path, { address: freshAddress(), ...options });

    test('without a key nothing is counted, and answers may be stored by shared caches', async () => {
      const address = freshAddress();
      for (const path of ['/posts', '/posts?q=the', '/tags', '', '/authors']) {
        for (let i = 0; i < 8; i++) {
          const reply = await stage().caller.get(path, { address });
          expect(reply.status).toBe(200);
          expect(quotaOf(reply)).toMatchObject(NOTHING_COUNTED);
          expect(reply.header('RateLimit')).toBeUndefined();
          expect(reply.header('Cache-Control')).toBe('public, max-age=60, s-maxage=60');
          expect(reply.header('Vary')).toMatch(/Authorization, X-Api-Key/);
        }
      }
      const { json } = await stage().caller.get('/me', { address });
      expect(json).toEqual({ success: true, data: { key: null, quota: NOTHING_COUNTED } });
    });

    test('a cached answer is revalidated with its ETag, and errors are not cached', async () => {
      const first = await get('/posts');
      const again = await get('/posts', { headers: { 'if-none-match': first.header('etag') ?? '' } });
      expect([again.status, again.header('cache-control')]).toEqual([304, first.header('cache-control')]);
      for (const path of ['/posts/none', '/none', '/posts?page=x'])
        expect((await get(path)).header('cache-control')).toBe('no-store');
      const stale = await get('/posts', { headers: { 'if-match': '"another"' } });
      expect([stale.status, stale.header('cache-control')]).toEqual([412, 'no-store']);
    });

    test('an invalid key is refused although nothing is counted', async () => {
      const reply = await get('/posts', { key: 'opk_unknown' });
      expect([reply.status, reply.header('cache-control')]).toEqual([401, 'no-store']);
      expect(quotaOf(reply)).toMatchObject(NOTHING_COUNTED);
    });

    test('a key has the limits of its kind, and its answers are private', async () => {
      const { key } = await stage().service.createKey({ account: 'reader', name: 'reader' });
      await get('/posts'); // A key does not get an answer from the shared cache.
      const [first, second, third] = [
        await get('/posts', { key }),
        await get('/posts', { key }),
        await get('/posts', { key }),
      ];
      const replies = [first, second, third];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(replies.map((reply) => quotaOf(reply).used)).toEqual([1, 2, 2]);
      expect(first.header('cache-control')).toBe('private, max-age=60');
      expect([...rateLimitOf(first, 'RateLimit-Policy').keys()]).toEqual(['minute']);

      const admin = await stage().service.createKey({ account: 'root', name: 'root', plan: 'admin' });
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await get('/tags', { key: admin.key })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const refused = await get('/tags', { key: admin.key });
      expect([...rateLimitOf(refused, 'RateLimit').keys()]).toEqual(['daily']);
    });

    test('the overview shows them', async () => {
      const { json } = await get('');
      expect(json).toMatchObject({
        data: {
          limits: {
            daily: { address: NO_LIMIT, user: NO_LIMIT, admin: 3 },
            per_minute: { address: NO_LIMIT, user: 2, admin: NO_LIMIT },
          },
        },
      });
    });

    test('the page and the description state them', async () => {
      const text = await (await fetch(stage().service.url)).text();
      expect(text).toContain('no limit');
      expect(text).not.toContain(String(NO_LIMIT));
      expect(await (await fetch(`${stage().service.url}/openapi.json`)).text()).toContain('no limit');
    });
  });
}
