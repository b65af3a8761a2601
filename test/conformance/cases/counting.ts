import { describe, expect, test } from 'vitest';
import { freshAddress, type Options } from '../caller.ts';
import { quotaOf, rateLimitOf } from '../fields.ts';
import type { Cases } from './suite.ts';

/** Every request under the prefix counts, except OPTIONS, whatever its answer. */
export const counting: Cases = (stage, keys) => {
  describe('the count', () => {
    const requests: readonly (readonly [path: string, options: Options, status: number])[] = [
      ['', {}, 200],
      ['/me', {}, 200],
      ['/posts?q=a', {}, 200],
      ['/posts', { headers: { 'if-none-match': '*' } }, 304],
      ['/posts', { method: 'HEAD' }, 200],
      ['/posts?page=0', {}, 400],
      ['/posts?api_key=x', {}, 400],
      ['/posts/%zz', {}, 400],
      [`/posts?q=${'x'.repeat(101)}`, {}, 422],
      ['/posts/nothing-like-it', {}, 404],
      ['/authors/nobody', {}, 404],
      ['/nothing', {}, 404],
      ['/nothing', { method: 'DELETE' }, 404],
      ['/posts', { method: 'DELETE' }, 405],
      ['/posts', { key: 'guess' }, 401],
      ['/posts', { headers: { 'x-api-key': 'guess' } }, 401],
    ];

    test('of an address rises by one with each request, whatever the answer', async () => {
      const address = freshAddress();
      for (const [index, [path, options, status]] of requests.entries()) {
        const reply = await stage().caller.get(path, { ...options, address });
        expect(reply.status, path).toBe(status);
        expect(quotaOf(reply), path).toMatchObject({ limit: 1_000_000, used: index + 1 });
        expect(rateLimitOf(reply, 'RateLimit').get('minute')?.get('r'), path).toBe(1_000_003 - index - 1);
      }
    });

    test('of an account rises by one with each request, and that of its address does not', async () => {
      const address = freshAddress();
      const { key } = keys().full;
      let { used } = quotaOf(await stage().caller.get('/me', { key, address }));
      for (const [path, options, status] of requests.filter(([, , status]) => status !== 401)) {
        const reply = await stage().caller.get(path, { ...options, key, address });
        expect(reply.status, path).toBe(status);
        expect(quotaOf(reply), path).toMatchObject({ limit: 1_000_001, used: used + 1 });
        used += 1;
      }
      expect(quotaOf(await stage().caller.get('/me', { address })).used).toBe(1);
    });

    test('of an account includes requests without the permission', async () => {
      const { key } = keys().taxonomy;
      const { used } = quotaOf(await stage().caller.get('/me', { key }));
      const reply = await stage().caller.get('/posts', { key });
      expect([reply.status, quotaOf(reply).used]).toEqual([403, used + 1]);
    });

    test('is shared by all keys of an account', async () => {
      const { full, second } = keys();
      const { used } = quotaOf(await stage().caller.get('/me', { key: full.key }));
      expect(quotaOf(await stage().caller.get('/me', { key: second.key })).used).toBe(used + 1);
      expect(quotaOf(await stage().caller.get('/me', { headers: { 'x-api-key': full.key } })).used).toBe(
        used + 2,
      );
    });

    test('ignores paths outside of the prefix', async () => {
      const address = freshAddress();
      await stage().caller.get('/me', { address });
      for (const path of ['/api', '/api/public/v2', '/favicon.ico'])
        await stage().caller.getAbsolute(path, { address });
      expect(quotaOf(await stage().caller.get('/me', { address })).used).toBe(2);
    });

    test('is separate for each IPv4 address, and for each IPv6 network of 64 bits', async () => {
      const used = async (address: string) => quotaOf(await stage().caller.get('/me', { address })).used;
      expect(await used('198.51.100.1')).toBe(1);
      expect(await used('198.51.100.2')).toBe(1);
      expect(await used('2001:db8:1:2::1')).toBe(1);
      expect(await used('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(2);
      expect(await used('2001:0DB8:0001:0002:0000:0000:0000:0001')).toBe(3);
      expect(await used('2001:db8:1:3::1')).toBe(1);
      expect(await used('2001:db8:1::1')).toBe(1);
      expect(await used('::ffff:198.51.100.1')).toBe(2);
      expect(await used('::ffff:c633:6402')).toBe(2);
      expect(await used('198.51.100.1')).toBe(3);
    });
  });
};
