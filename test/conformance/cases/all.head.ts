import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { ENDPOINTS, type Cases } from './suite.ts';

/** RFC 9110, 9.3.2: HEAD is GET without the body. */
export const allHead: Cases = (stage) => {
  describe('HEAD', () => {
    test.each([...ENDPOINTS, '/posts?q=a&page=2', '/posts?page=0', '/posts/nothing-like-it', '/nothing'])(
      'returns the headers of GET without the body: "%s"',
      async (path) => {
        const address = freshAddress();
        const get = await stage().caller.get(path, { address });
        const head = await stage().caller.get(path, { address, method: 'HEAD' });
        expect(head.status).toBe(get.status);
        expect(head.text).toBe('');
        for (const name of ['Content-Type', 'ETag', 'Cache-Control', 'Vary', 'Link']) {
          expect(head.header(name), name).toBe(get.header(name));
        }
        if (head.header('Content-Length') !== undefined && path !== '/me') {
          expect(head.header('Content-Length')).toBe(String(Buffer.byteLength(get.text)));
        }
        expect(quotaOf(head).used).toBe(quotaOf(get).used + 1);
      },
    );
  });
};
