import { describe, expect, test } from 'vitest';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { freshAddress, PREFIX } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { failure } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** Invalid keys. `good` is a valid one. */
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

/** What proxies, browsers and .netrc files send. */
const NO_KEYS = [
  '',
  'Basic YTpi',
  'Digest username="a", realm="b", nonce="c", uri="/", response="d", qop=auth, nc=00000001, cnonce="e"',
  'Negotiate',
  'NTLM TlRMTVNTUAAB',
  'AWS4-HMAC-SHA256 Credential=A/20260101/x/s3/aws4_request, SignedHeaders=host, Signature=0',
  'Token abc',
  'guess',
];

/** An invalid key is refused on every endpoint, and counts against its address. */
export const all401: Cases = (stage, keys) => {
  describe('401', () => {
    test.each(BAD_KEYS)('a key that is %s, in either header', async (_, make) => {
      const key = make(keys().full.key);
      for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
        const reply = await stage().caller.get('/posts', { headers });
        expect(reply.status, reply.text).toBe(401);
        expect(failure.parse(reply.json).message).toMatch(/key/i);
        expect(reply.text).not.toContain(key);
        // RFC 6750, 3: auth-params, separated by a comma.
        expect(reply.header('WWW-Authenticate')).toBe(
          `Bearer realm="Offprint", error="${/ /.test(key) && 'authorization' in headers ? 'invalid_request' : 'invalid_token'}"`,
        );
      }
    });

    test.each([
      'Bearer a b',
      'Bearer',
      'Bearer opk_a, Bearer opk_b',
      'opk_a',
      'Token opk_a',
      'Basic YTpi, Bearer',
    ])('a header that does not have exactly one key: %s', async (authorization) => {
      const reply = await stage().caller.get('/me', { headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(reply.header('WWW-Authenticate')).toBe('Bearer realm="Offprint", error="invalid_request"');
    });

    test('two headers with different keys, both valid', async () => {
      const { full, second } = keys();
      const both = (bearer: string, other: string) =>
        stage().caller.get('/me', { headers: { authorization: `Bearer ${bearer}`, 'x-api-key': other } });
      expect((await both(full.key, second.key)).status).toBe(401);
      expect((await both(full.key, 'guess')).status).toBe(401);
      expect((await both('guess', full.key)).status).toBe(401);
      expect((await both(full.key, full.key)).status).toBe(200);
    });

    test.each(['Authorization', 'X-Api-Key'])(
      '%s in two lines: different keys, or the same',
      async (name) => {
        const { full, second } = keys();
        const line = (key: string) => `${name}: ${name === 'Authorization' ? 'Bearer ' : ''}${key}`;
        const ask = (...lines: string[]) => sendRaw(stage().service.url, rawGet(`${PREFIX}/me`, lines));
        expect((await ask(line(full.key), line(second.key)))?.status).toBe(401);
        expect((await ask(line(full.key), line('guess')))?.status).toBe(401);
        expect((await ask(line(full.key), line(full.key)))?.status).toBe(200);
        const status = name === 'Authorization' ? 200 : 401;
        expect((await ask(line(full.key), `${name}: Basic YTpi`))?.status).toBe(status);
      },
    );

    test('a key that is repeated more than 16 times', async () => {
      const { key } = keys().full;
      const ask = async (name: string, value: string) =>
        (await stage().caller.get('/me', { headers: { [name]: value } })).status;
      for (const [name, value] of [
        ['x-api-key', key],
        ['authorization', `Bearer ${key}`],
      ] as const) {
        expect(await ask(name, Array<string>(16).fill(value).join())).toBe(200);
        expect(await ask(name, Array<string>(17).fill(value).join())).toBe(401);
        expect(await ask(name, `${','.repeat(20_000)}${value}`)).toBe(401);
      }
    });

    test('bytes that are not text', async () => {
      const lines = [Buffer.from('X-Api-Key: opk_\xff\xfe\xfd', 'latin1')];
      const sentAt = Date.now();
      const reply = await sendRaw(stage().service.url, rawGet(`${PREFIX}/me`, lines));
      if (reply === null) throw new Error('The service gave no reply.');
      expect(reply.status).toBe(401);
      await stage().caller.check({ path: `${PREFIX}/me` }, reply, sentAt);
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
  });

  test.each(NO_KEYS)('an Authorization header without a key is as if absent: %s', async (authorization) => {
    for (const headers of [{ authorization }, { authorization, 'x-api-key': '' }]) {
      const reply = await stage().caller.get('/me', { headers });
      expect(reply.json).toMatchObject({ data: { key: null } });
    }
  });

  describe('a valid key', () => {
    test('works in either header, and the scheme in any case', async () => {
      const { key, prefix } = keys().full;
      for (const headers of [
        { authorization: `Bearer ${key}` },
        { authorization: `bearer ${key}` },
        { authorization: `BEARER ${key}` },
        { 'x-api-key': key },
        { 'X-API-KEY': key },
        ...NO_KEYS.map((authorization) => ({ authorization, 'x-api-key': key })),
        { authorization: `Bearer ${key}`, 'x-api-key': '' },
      ]) {
        const reply = await stage().caller.get('/me', { headers });
        expect(reply.json).toMatchObject({ data: { key: { prefix } } });
      }
    });
  });
};
