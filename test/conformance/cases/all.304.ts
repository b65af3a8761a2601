import { describe, expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import { DATA_ENDPOINTS, type Cases } from './suite.ts';

/** RFC 9110, 13.1.2: If-None-Match compares weakly, takes a list, and `*` matches what is there. */
export const all304: Cases = (stage, keys) => {
  describe.each([...DATA_ENDPOINTS, '/posts?q=a&sort=old', '/authors?page=2&per_page=3', '/posts?page=999'])(
    'If-None-Match on "%s"',
    (path) => {
      const ask = (ifNoneMatch?: string, method = 'GET') =>
        stage().caller.get(path, {
          method,
          key: keys().full.key,
          headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
        });
      const tagOf = async () => {
        const etag = (await ask()).header('ETag');
        if (etag === undefined) throw new Error(`${path} has no ETag.`);
        return etag;
      };

      test('the tag is the same each time', async () => {
        expect(await tagOf()).toBe(await tagOf());
      });

      test.each([
        (tag: string) => tag,
        (tag: string) => `W/${opaque(tag)}`,
        (tag: string) => opaque(tag),
        () => '*',
        (tag: string) => `"another", ${tag}`,
        (tag: string) => `W/"another",${tag},"a third"`,
        (tag: string) => `"with, comma" , , ${tag}`,
      ])('304 without a body, with the tag and the quota: %s', async (write) => {
        const etag = await tagOf();
        const before = quotaOf(await ask());
        const reply = await ask(write(etag));
        expect(reply.status).toBe(304);
        expect(reply.text).toBe('');
        expect(reply.header('ETag')).toBe(etag);
        expect(quotaOf(reply).used).toBe(before.used + 1);
      });

      test('HEAD gets 304 too', async () => {
        expect((await ask(await tagOf(), 'HEAD')).status).toBe(304);
      });

      test.each([
        () => '"another"',
        (tag: string) => opaque(tag).slice(1, -1), // without quotes it is no tag
        (tag: string) => `"${opaque(tag).slice(1, -1)}x"`,
        () => '',
        () => '"*"',
      ])('200 where no tag is the same: %s', async (write) => {
        const reply = await ask(write(await tagOf()));
        expect(reply.status).toBe(200);
        expect(reply.text).not.toBe('');
      });
    },
  );

  describe('If-None-Match elsewhere', () => {
    test('never makes an error a 304', async () => {
      const ask = async (path: string, key?: string) => {
        const headers = { 'if-none-match': '*' };
        return (await stage().caller.get(path, key === undefined ? { headers } : { headers, key })).status;
      };
      expect(await ask('/posts/nothing-like-it')).toBe(404);
      expect(await ask('/posts?page=0')).toBe(400);
      expect(await ask('/posts', 'no-key')).toBe(401);
      expect(await ask('/posts', keys().authors.key)).toBe(403);
    });

    test('/me is always told anew', async () => {
      const reply = await stage().caller.get('/me', { headers: { 'if-none-match': '*' } });
      expect(reply.status).toBe(200);
    });

    test('different answers have different tags', async () => {
      const paths = [
        ...DATA_ENDPOINTS,
        '/posts?page=2',
        '/posts?sort=old',
        '/posts?per_page=14',
        '/posts?q=a',
        '/posts/nothing-set',
      ];
      const tags = await Promise.all(
        paths.map(async (path) => (await stage().caller.get(path)).header('ETag')),
      );
      expect(new Set(tags).size).toBe(paths.length);
    });
  });
};

/** The tag without its mark of weakness. */
const opaque = (etag: string) => etag.replace(/^W\//, '');
