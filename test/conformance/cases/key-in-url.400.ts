import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import type { Cases } from './suite.ts';

/** A valid key in the URL is not repeated in the answer, and not counted. statuses.txt has the names of parameters. */
export const keyInUrl400: Cases = (stage, keys) => {
  describe('a key in the URL: 400', () => {
    test('anywhere in it, recognised by its checksum', async () => {
      const { key } = keys().full;
      for (const path of [
        `/posts?api_key=${key}`,
        `/posts?q=${key}`,
        `/posts?q=my+${key}+here`,
        `/posts?anything=Bearer%20${key}`,
        `/posts?${key}`,
        `/posts/${key}`,
        `/authors/${key.replace('_', '%5F')}`,
        `/tags?utm=1&utm=${key}`,
      ]) {
        const reply = await stage().caller.get(path);
        expect(reply.status, path).toBe(400);
        expect(reply.text).not.toContain(key.slice(4));
      }
    });

    test('does not count against the key’s account', async () => {
      const { key } = keys().full;
      const before = quotaOf(await stage().caller.get('/me', { key })).used;
      const reply = await stage().caller.get(`/posts?api_key=${key}`, { address: freshAddress() });
      expect(quotaOf(reply)).toMatchObject({ limit: 1_000_000, used: 1 });
      expect(quotaOf(await stage().caller.get('/me', { key })).used).toBe(before + 1);
    });
  });
};
