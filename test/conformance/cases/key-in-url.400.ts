import { describe, expect, test } from 'vitest';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { ENDPOINTS, type Cases } from './suite.ts';

const SPELLINGS = [
  'api_key',
  'apikey',
  'api-key',
  'apiKey',
  'x-api-key',
  'X-Api-Key',
  'api%5Fkey',
  '%61pi_key',
];

/** A key in the URL ends up in logs and histories, so the request is refused, even if it is valid otherwise. */
export const keyInUrl400: Cases = (stage, keys) => {
  describe('a key in the URL: 400', () => {
    test.each(SPELLINGS)('%s', async (name) => {
      const { key } = keys().full;
      const reply = await stage().caller.get(`/posts?${name}=${key}`);
      expect(reply.status, reply.text).toBe(400);
      const { message } = failure.parse(reply.json);
      expect(message).toMatch(/header/i);
      expect(reply.text).not.toContain(key.slice(4));
    });

    test.each(ENDPOINTS)('on every endpoint: "%s"', async (path) => {
      const { key } = keys().full;
      expect((await stage().caller.get(`${path}?api_key=${key}`)).status).toBe(400);
    });

    test('anywhere in it, recognised by its checksum', async () => {
      const { key } = keys().full;
      for (const path of [
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

    test('except for text that only begins like a key', async () => {
      for (const word of ['opk_12345678_', 'opk_12345678_notes', `opk_ABCDEFGH_${'a'.repeat(38)}`]) {
        expect((await stage().caller.get(`/posts?q=${word}`)).status).toBe(200);
        expect((await stage().caller.get(`/posts?tag=${word}`)).status).toBe(200);
        expect((await stage().caller.get(`/posts/${word}`)).status).toBe(404);
      }
    });

    test('even if it is empty or invalid, or a valid key is in a header', async () => {
      const { key } = keys().full;
      expect((await stage().caller.get('/posts?api_key=')).status).toBe(400);
      expect((await stage().caller.get('/posts?api_key=guess')).status).toBe(400);
      expect((await stage().caller.get('/posts?api_key=guess', { key })).status).toBe(400);
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
