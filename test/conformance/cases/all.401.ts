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
    (good) => good.replace(/(?<=^.{20})./, (one) => (one === 'a' ? 'b' : 'a')),
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

const [BEARER, X_KEY] = ['Authorization: Bearer FULL', 'X-Api-Key: FULL'];
const times = (count: number, value: string) => Array<string>(count).fill(value).join();

/** Whom header lines name, where FULL and OTHER are valid keys: the holder of FULL, nobody, or it is a 401. */
const HEADERS: readonly (readonly [who: 'holder' | 'nobody' | 401, lines: readonly string[]])[] = [
  ['holder', [BEARER]],
  ['holder', ['Authorization: bearer FULL']],
  ['holder', ['Authorization: BEARER FULL']],
  ['holder', [X_KEY]],
  ['holder', ['X-API-KEY: FULL']],
  ['holder', [BEARER, 'X-Api-Key: ']],
  ...NO_KEYS.flatMap((value): (readonly ['holder' | 'nobody', readonly string[]])[] => [
    ['holder', [`Authorization: ${value}`, X_KEY]],
    ['nobody', [`Authorization: ${value}`]],
    ['nobody', [`Authorization: ${value}`, 'X-Api-Key: ']],
  ]),
  // Two headers, two lines of one header, and two lines that a proxy has joined.
  ['holder', [BEARER, X_KEY]],
  [401, [BEARER, 'X-Api-Key: OTHER']],
  [401, [BEARER, 'X-Api-Key: guess']],
  [401, ['Authorization: Bearer guess', X_KEY]],
  ['holder', [BEARER, BEARER]],
  [401, [BEARER, 'Authorization: Bearer OTHER']],
  [401, [BEARER, 'Authorization: Bearer guess']],
  ['holder', [BEARER, 'Authorization: Basic YTpi']],
  ['holder', [X_KEY, X_KEY]],
  [401, [X_KEY, 'X-Api-Key: OTHER']],
  [401, [X_KEY, 'X-Api-Key: guess']],
  [401, [X_KEY, 'X-Api-Key: Basic YTpi']],
  ['holder', [`${BEARER}, Bearer FULL`]],
  [401, [`${BEARER}, Bearer OTHER`]],
  ['holder', [`${BEARER}, Basic YTpi`]],
  ['holder', [`${X_KEY}, FULL`]],
  [401, [`${X_KEY}, OTHER`]],
  // Repeated more than 16 times, and bytes that are not text.
  ['holder', [`X-Api-Key: ${times(16, 'FULL')}`]],
  [401, [`X-Api-Key: ${times(17, 'FULL')}`]],
  [401, [`X-Api-Key: ${','.repeat(20_000)}FULL`]],
  ['holder', [`Authorization: ${times(16, 'Bearer FULL')}`]],
  [401, [`Authorization: ${times(17, 'Bearer FULL')}`]],
  [401, [`Authorization: ${','.repeat(20_000)}Bearer FULL`]],
  [401, ['X-Api-Key: opk_\xff\xfe\xfd']],
];

/** An invalid key is refused on every endpoint (statuses.txt), and counts against its address (counting.ts). */
export const all401: Cases = (stage, keys) => {
  describe('keys', () => {
    test.each(BAD_KEYS)('401 for a key that is %s, in either header', async (_, make) => {
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
    ])('401 for a header that does not have exactly one key: %s', async (authorization) => {
      const reply = await stage().caller.get('/me', { headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(reply.header('WWW-Authenticate')).toBe('Bearer realm="Offprint", error="invalid_request"');
    });

    test.each(HEADERS.map(([who, lines]) => ({ who, lines, text: lines.join(' | ').slice(0, 80) })))(
      '$who: $text',
      async ({ who, lines }) => {
        const { full, second } = keys();
        const written = lines.map((line) =>
          Buffer.from(line.replaceAll('FULL', full.key).replaceAll('OTHER', second.key), 'latin1'),
        );
        const sentAt = Date.now();
        const reply = await sendRaw(stage().service.url, rawGet(`${PREFIX}/me`, written));
        if (reply === null) throw new Error('The service gave no reply.');
        await stage().caller.check({ path: `${PREFIX}/me` }, reply, sentAt);
        if (who === 401) return expect(reply.status).toBe(401);
        const key = who === 'nobody' ? null : { prefix: full.prefix };
        expect(reply.json).toMatchObject({ data: { key } });
      },
    );
  });

  /** statuses.txt has the names of parameters. */
  describe('a key in the URL: 400', () => {
    test.each([
      '/posts?api_key=KEY',
      '/posts?q=KEY',
      '/posts?q=my+KEY+here',
      '/posts?anything=Bearer%20KEY',
      '/posts?KEY',
      '/posts/KEY',
      '/authors/opk%5FKEY',
      '/tags?utm=1&utm=KEY',
    ])('%s is recognised by its checksum, not repeated, and not counted for its account', async (path) => {
      const { key } = keys().full;
      const { used } = quotaOf(await stage().caller.get('/me', { key }));
      const written = path.replace('opk%5FKEY', key.replace('_', '%5F')).replace('KEY', key);
      const reply = await stage().caller.get(written, { address: freshAddress() });
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain(key.slice(4));
      expect(quotaOf(reply)).toMatchObject({ limit: 1_000_000, used: 1 });
      expect(quotaOf(await stage().caller.get('/me', { key })).used).toBe(used + 1);
    });
  });
};
