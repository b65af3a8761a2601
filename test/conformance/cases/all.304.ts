import { describe, expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { DATA_ENDPOINTS, type Cases } from './suite.ts';

/** RFC 9110, 13.1.2: If-None-Match uses weak comparison and accepts a list; `*` matches any existing resource. */
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

      test('the ETag is stable', async () => {
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
        (tag: string) => `"", "a", ${tag}, W/"b"`,
      ])('304 without a body, with the ETag and the quota: %s', async (write) => {
        const etag = await tagOf();
        const before = quotaOf(await ask());
        const reply = await ask(write(etag));
        expect(reply.status).toBe(304);
        expect(reply.text).toBe('');
        expect(reply.header('ETag')).toBe(etag);
        expect(quotaOf(reply).used).toBe(before.used + 1);
      });

      test('304 at the end of a long list', async () => {
        const tags = Array.from({ length: 500 }, (_, i) => `"another version, ${i}"`).join(', ');
        expect((await ask(tags)).status).toBe(200);
        expect((await ask(`${tags}, ${await tagOf()}`)).status).toBe(304);
        expect((await ask(`${'"'.repeat(20_000)}, ${await tagOf()}`)).status).toBe(304);
      });

      test('HEAD gets 304 too', async () => {
        expect((await ask(await tagOf(), 'HEAD')).status).toBe(304);
      });

      test.each([
        () => '"another"',
        (tag: string) => opaque(tag).slice(1, -1), // Without quotes it is not an ETag.
        (tag: string) => `"${opaque(tag).slice(1, -1)}x"`,
        () => '',
        () => '"*"',
      ])('200 if no ETag matches: %s', async (write) => {
        const reply = await ask(write(await tagOf()));
        expect(reply.status).toBe(200);
        expect(reply.text).not.toBe('');
      });
    },
  );

  /** RFC 9110, 13.1.1: If-Match uses strong comparison; `*` matches any existing resource. */
  describe.each([...DATA_ENDPOINTS, '/posts?q=a&sort=old', '/posts?page=999'])('If-Match on "%s"', (path) => {
    const ask = (headers: Record<string, string>, method = 'GET') =>
      stage().caller.get(path, { method, key: keys().full.key, headers });
    const tagOf = async () => (await ask({})).header('ETag') ?? '';

    test.each([
      (tag: string) => tag,
      () => '*',
      () => '',
      (tag: string) => `"another", ${tag}`,
      (tag: string) => `W/${tag}, ${tag}, W/${tag}`,
    ])('200 if it matches: %s', async (write) => {
      expect((await ask({ 'if-match': write(await tagOf()) })).status).toBe(200);
    });

    test.each([
      () => '"another"',
      (tag: string) => `W/${tag}`,
      (tag: string) => `W/${tag}, W/${tag}`,
      (tag: string) => tag.slice(1, -1),
      () => '"*"',
    ])('412 if it does not: %s', async (write) => {
      const etag = await tagOf();
      const { used } = quotaOf(await ask({}));
      const reply = await ask({ 'if-match': write(etag) });
      expect(reply.status).toBe(412);
      expect(reply.header('ETag')).toBe(etag);
      expect(failure.parse(reply.json).message).toContain('If-Match');
      expect(quotaOf(reply).used).toBe(used + 1);
      expect((await ask({ 'if-match': write(etag) }, 'HEAD')).status).toBe(412);
    });

    test('is evaluated before If-None-Match (13.2.2)', async () => {
      const etag = await tagOf();
      expect((await ask({ 'if-match': '"another"', 'if-none-match': etag })).status).toBe(412);
      expect((await ask({ 'if-match': etag, 'if-none-match': etag })).status).toBe(304);
    });

    test('conditions on dates are ignored, because there is no Last-Modified (13.1.3, 13.1.4)', async () => {
      const longAgo = 'Thu, 01 Jan 1970 00:00:00 GMT';
      expect((await ask({ 'if-unmodified-since': longAgo })).status).toBe(200);
      expect((await ask({ 'if-modified-since': new Date().toUTCString() })).status).toBe(200);
    });
  });

  test('If-Match on /me, which has no ETag', async () => {
    const ask = async (ifMatch: string) =>
      (await stage().caller.get('/me', { headers: { 'if-match': ifMatch } })).status;
    expect(await ask('*')).toBe(200);
    expect(await ask('"any"')).toBe(412);
  });

  test('If-Match never changes an error (13.2.1)', async () => {
    const headers = { 'if-match': '"another"' };
    expect((await stage().caller.get('/posts/nothing-like-it', { headers })).status).toBe(404);
    expect((await stage().caller.get('/posts?page=0', { headers })).status).toBe(400);
    expect((await stage().caller.get('/posts', { headers, method: 'OPTIONS' })).status).toBe(204);
  });

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

    test('/me is never cached', async () => {
      const reply = await stage().caller.get('/me', { headers: { 'if-none-match': '*' } });
      expect(reply.status).toBe(200);
    });

    test('different answers have different ETags', async () => {
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

/** The ETag without `W/`. */
const opaque = (etag: string) => etag.replace(/^W\//, '');
