import { describe, expect, test } from 'vitest';
import { failure } from '../shapes.ts';
import { PREFIX, type Cases } from './suite.ts';

/** Paths that are not endpoints, under the prefix and outside of it. */
export const all404: Cases = (stage) => {
  describe('an unknown path: 404', () => {
    test.each([
      '/nothing',
      '/posts/a/b',
      '/authors/ada/posts',
      '/categories/news',
      '//',
      '/posts/everything-set//',
      '/me//',
      '/Posts',
      '/posts.json',
      '/snapshot.json',
      '/__proto__',
      '/%70osts%2Feverything-set',
      '/nothing?page=0&api_key=x',
      `/${'nothing/'.repeat(200)}`,
    ])('under the prefix: %s', async (path) => {
      const reply = await stage().caller.get(path);
      expect(reply.status, reply.text).toBe(404);
      failure.parse(reply.json);
    });

    test.each([
      '/docs',
      '/docs/page.js',
      '/openapi.json/',
      '/api/public',
      '/api/public/v2/posts',
      '/api/public/v1posts',
      '/API/PUBLIC/V1/posts',
      '/posts',
      '/snapshot.json',
      '/state/quota.db',
      '/..%2f..%2f..%2fetc/passwd',
      '/index.html',
      '/.git/config',
      '/offprint.json',
    ])('outside of it: %s', async (path) => {
      const reply = await stage().caller.getAbsolute(path);
      expect(reply.status, reply.text).toBe(404);
      failure.parse(reply.json);
    });

    test.each([
      `${PREFIX}/../../../snapshot.json`,
      `${PREFIX}/posts/../../../../snapshot.json`,
      `${PREFIX}/%2e%2e/%2e%2e/%2e%2e/snapshot.json`,
      `${PREFIX}/posts/..%2f..%2f..%2fsnapshot.json`,
      `${PREFIX}/posts/..\\..\\..\\snapshot.json`,
      '/../../../../etc/passwd',
      '//etc/passwd',
      '/..;/snapshot.json',
      '/....//snapshot.json',
      '/%252e%252e/snapshot.json',
      `${PREFIX}/posts/..%5c..%5csnapshot.json`,
    ])('with dot segments: %s', async (path) => {
      const reply = await stage().caller.getAbsolute(path);
      expect(reply.status, reply.text).toBe(404);
    });

    test('that would be the description after resolving dot segments', async ({ skip }) => {
      skip(
        !stage().service.receivesRawRequests,
        'nothing is lacking: this platform resolves the path before the Worker gets it',
      );
      expect((await stage().caller.getAbsolute('/docs/../openapi.json')).status).toBe(404);
    });

    test('with any method except OPTIONS', async () => {
      for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        for (const path of ['/nothing', '/posts/a/b'])
          expect((await stage().caller.get(path, { method })).status, `${method} ${path}`).toBe(404);
      }
    });
  });
};
