import { describe, expect, test } from 'vitest';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { freshAddress, PREFIX } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import { ENDPOINTS, type Cases } from './suite.ts';

/** Keys that no one was given. `good` is one that works. */
const BAD_KEYS: readonly (readonly [what: string, make: (good: string) => string])[] = [
  ['a word', () => 'guess'],
  ['the prefix alone', (good) => good.slice(0, 12)],
  ['the prefix and an underscore', (good) => good.slice(0, 13)],
  ['one letter less', (good) => good.slice(0, -1)],
  ['one letter more', (good) => `${good}a`],
  ['another last letter', (good) => good.slice(0, -1) + (good.endsWith('a') ? 'b' : 'a')],
  [
    'another letter in the secret',
    (good) => good.slice(0, 20) + (good[20] === 'a' ? 'b' : 'a') + good.slice(21),
  ],
  ['another public id', (good) => `opk_AAAAAAAA${good.slice(12)}`],
  ['in lower case', (good) => good.toLowerCase().replace(/^opk_/, 'opk_x')],
  ['of another kind', (good) => good.replace('opk_', 'sk_')],
  ['well formed but made up', () => `opk_ABCDEFGH_${'a'.repeat(38)}`],
  ['four thousand letters', () => 'a'.repeat(4000)],
  ['a path', () => '../../snapshot.json'],
  ['SQL', () => "' OR '1'='1"],
  ['a property of objects', () => '__proto__'],
];

/** An invalid key is refused everywhere, and counts against its address. */
export const all401: Cases = (stage, keys) => {
  describe('401', () => {
    test.each(BAD_KEYS)('a key that is %s, in either header', async (_, make) => {
      const key = make(keys().full.key);
      for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
        const reply = await stage().caller.get('/posts', { headers });
        expect(reply.status, reply.text).toBe(401);
        expect(failure.parse(reply.json).message).toMatch(/key/i);
        expect(reply.text).not.toContain(key);
      }
    });

    test.each(ENDPOINTS)('on every endpoint: "%s"', async (path) => {
      expect((await stage().caller.get(path, { key: 'guess' })).status).toBe(401);
    });

    test.each(['Bearer a b', 'Bearer opk_a, Bearer opk_b'])(
      'a header that holds no single key: %s',
      async (authorization) => {
        expect((await stage().caller.get('/me', { headers: { authorization } })).status).toBe(401);
      },
    );

    test('two headers with different keys, though each is good alone', async () => {
      const { full, second } = keys();
      const both = (bearer: string, other: string) =>
        stage().caller.get('/me', { headers: { authorization: `Bearer ${bearer}`, 'x-api-key': other } });
      expect((await both(full.key, second.key)).status).toBe(401);
      expect((await both(full.key, 'guess')).status).toBe(401);
      expect((await both('guess', full.key)).status).toBe(401);
      expect((await both(full.key, full.key)).status).toBe(200);
    });

    test('the same header twice with different keys', async () => {
      const { full, second } = keys();
      for (const lines of [
        [`X-Api-Key: ${full.key}`, `X-Api-Key: ${second.key}`],
        [`Authorization: Bearer ${full.key}`, `Authorization: Bearer ${second.key}`],
      ]) {
        const reply = await sendRaw(stage().service.url, rawGet(`${PREFIX}/me`, lines));
        // Servers differ in what they make of a repeated header: it may be refused, or one may count.
        expect([200, 400, 401]).toContain(reply?.status);
      }
    });

    test('bytes that are no text', async () => {
      const lines = [Buffer.from('X-Api-Key: opk_\xff\xfe\xfd', 'latin1')];
      const sentAt = Date.now();
      const reply = await sendRaw(stage().service.url, rawGet(`${PREFIX}/me`, lines));
      if (reply === null) throw new Error('The service gave no reply.');
      expect(reply.status).toBe(401);
      await stage().caller.hold({ path: `${PREFIX}/me` }, reply, sentAt);
    });

    test('counts against the address, with its limit in the headers', async () => {
      const address = freshAddress();
      expect(quotaOf(await stage().caller.get('/posts', { address }))).toMatchObject({
        limit: 1_000_000,
        used: 1,
      });
      expect(quotaOf(await stage().caller.get('/posts', { address, key: 'guess' }))).toMatchObject({
        limit: 1_000_000,
        used: 2,
      });
      expect(quotaOf(await stage().caller.get('/posts', { address })).used).toBe(3);
    });

    test('comes before all that could be wrong with the request', async () => {
      for (const path of [
        '/nothing',
        '/posts?page=0',
        '/posts/nothing-like-it',
        '/posts?api_key=x',
        '/posts/%zz',
      ]) {
        expect((await stage().caller.get(path, { key: 'guess' })).status, path).toBe(401);
      }
      expect((await stage().caller.get('/posts', { key: 'guess', method: 'POST' })).status).toBe(401);
    });
  });

  describe('a good key', () => {
    test('works in either header, and the scheme in any case', async () => {
      const { key, prefix } = keys().full;
      for (const headers of [
        { authorization: `Bearer ${key}` },
        { authorization: `bearer ${key}` },
        { authorization: `BEARER ${key}` },
        { 'x-api-key': key },
        { 'X-API-KEY': key },
      ]) {
        const reply = await stage().caller.get('/me', { headers });
        expect(reply.json).toMatchObject({ data: { key: { prefix } } });
      }
    });
  });
};
