/**
 * Headers that are too large, repeated or forbidden by HTTP. No decision uses only a part of them.
 */
import { randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatKey, RANDOM_CHARACTERS } from '../../../contract/api-key.ts';
import { PREFIX } from '../../../contract/api.ts';
import type { CreatedKey } from '../../service/home.ts';
import { rawGet } from '../../service/raw-client.ts';
import { type Server, startServer } from '../../service/server-process.ts';
import { type RawReply, repliesTo as repliesAt } from '../fuzz/replies.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

let blog: ServedBlog;
let server: Server;
let key: CreatedKey;
beforeAll(async () => {
  blog = await makeServedBlog(20);
  key = await blog.createKey({ account: 'ada', name: 'a name' });
  server = await blog.serve('--log', 'json');
});
afterAll(() => server.end('SIGKILL'));

const repliesTo = (bytes: string | Buffer, isAll = false) => repliesAt(server.url, bytes, isAll);
const request = (target: string, ...lines: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n');
const many = (count: number): string[] => Array.from({ length: count }, () => 'A:1');

async function only(bytes: string | Buffer): Promise<RawReply> {
  const [reply, ...others] = await repliesTo(bytes);
  expect(others).toEqual([]);
  if (!reply) throw new Error('The service gave no reply.');
  return reply;
}

/** The single reply: an error envelope with the quota headers and CORS. */
async function refusal(bytes: string | Buffer): Promise<{ status: number; message: string }> {
  const reply = await only(bytes);
  const envelope: unknown = JSON.parse(reply.body);
  expect(envelope).toEqual({ success: false, message: expect.any(String) });
  expect(reply.header('access-control-allow-origin')).toBe('*');
  expect(reply.header('x-quota-limit')).toMatch(/^\d+$/);
  return { status: reply.status, message: (envelope as { message: string }).message };
}

describe('many header lines', () => {
  const ME = `${PREFIX}/me`;

  it('are all read, up to 1,000', async () => {
    const last = (line: string) => request(ME, 'Host: a', ...many(997), line);
    expect((await only(last('X-Api-Key: opk_wrong'))).status).toBe(401);
    expect((await only(last('Authorization: Bearer eA'))).status).toBe(401);
    expect((await only(last(`X-Api-Key: ${key.key}`))).body).toContain('"name":"a name"');
    const usedBy = async (line: string) => Number((await only(last(line))).header('x-quota-used'));
    const used = await usedBy('X-Forwarded-For: 198.51.100.1');
    expect(await usedBy('X-Forwarded-For: 198.51.100.1')).toBe(used + 1);
    expect(await usedBy('X-Forwarded-For: 198.51.100.2')).toBe(1);
  });

  it.each([1_001, 1_024, 2_005, 10_000, 60_000])(
    'are refused at %i, whatever the last one is',
    async (count) => {
      const address = `X-Forwarded-For: 203.0.${count >> 8}.${count & 0xff}`;
      for (const line of [
        address,
        `X-Api-Key: ${key.key}`,
        'X-Api-Key: opk_wrong',
        `Authorization: Bearer ${key.key}`,
        'Host: a',
        'If-None-Match: *',
      ]) {
        for (const target of [ME, '/', '/healthz', '/docs/page.js']) {
          const { status, message } = await refusal(
            request(target, 'Host: a', ...many(count - 3), line, 'B: 1'),
          );
          expect([status, message]).toEqual([431, expect.stringMatching(/1000 header lines/)]);
        }
      }
      expect((await only(request(ME, 'Host: a', address))).header('x-quota-used')).toBe('1');
    },
  );

  it.each(['Transfer-Encoding: chunked', 'Content-Length: 500', 'Upgrade: h2c', 'Expect: 100-continue'])(
    'before %s give one reply, whatever the body is',
    async (line) => {
      const body = `BROKEN\r\n\r\n${request(`${PREFIX}/tags`, 'Host: a')}`.padEnd(500);
      for (const count of [900, 2_005, 5_000]) {
        const head = [`GET ${ME} HTTP/1.1`, 'Host: a', ...many(count), line, '', ''].join('\r\n');
        const statuses = (await repliesTo(head + body, true)).map(({ status }) => status);
        expect(statuses.slice(0, line === 'Content-Length: 500' ? 1 : undefined)).toEqual([
          count > 1_000 ? 431 : 200,
        ]);
      }
    },
  );
});

it.each([65_400, 65_536, 131_072, 1_000_000])('request line and headers have 64 KiB: %i', async (bytes) => {
  const get = request(`${PREFIX}/me`, 'Host: a', `A: ${'x'.repeat(bytes)}`);
  if (bytes < 65_536) expect((await only(get)).status).toBe(200);
  else expect(await refusal(get)).toEqual({ status: 431, message: expect.stringMatching(/too large/) });
});

describe('Host', () => {
  const TARGETS = [
    `${PREFIX}/tags`,
    '/',
    '/docs/page.js',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/nothing',
  ];

  it.each([
    ['two lines', ['Host: a', 'Host: a']],
    ['two lines of which one is empty', ['Host:', 'Host: a']],
    ['none', []],
    ['an empty one', ['Host:']],
    ['a space', ['Host: a b']],
    ['a comma', ['Host: a,b']],
    ['a user', ['Host: user@a']],
    ['a path', ['Host: a/b']],
    ['a port alone', ['Host: :80']],
    ['two ports', ['Host: a:1:2']],
    ['an invalid port', ['Host: a:b']],
    ['a port beyond 65535', ['Host: a:65536']],
    ['IPv6 without brackets', ['Host: ::1']],
    ['half a bracket', ['Host: [::1']],
    ['brackets around a name', ['Host: [a]']],
    ['a zone', ['Host: [fe80::1%25eth0]']],
    ['invalid percent-encoding', ['Host: a%zz']],
    ['letters outside ASCII', ['Host: bücher.example']],
    ['a backslash', ['Host: a\\b']],
  ])('%s is refused for every path', async (_, lines) => {
    for (const target of TARGETS) {
      const { status, message } = await refusal(request(target, ...lines));
      expect([target, status]).toEqual([target, 400]);
      expect(message).toMatch(/Host/);
    }
  });

  it.each([
    'a',
    'A.example',
    'a.example:80',
    'a:',
    '127.0.0.1:8787',
    '[::1]',
    '[2001:db8::1]:443',
    'my_service',
    'xn--bcher-kva.example.',
    'a%41',
  ])('%s is valid', async (host) => {
    expect((await only(request('/healthz', `Host: ${host}`))).status).toBe(200);
    expect((await only(request(`http://${host}/healthz`, `Host: ${host}`))).status).toBe(200);
  });

  it.each([`GET ${PREFIX} HTTP/1.1`, `GET ${PREFIX} HTTP/1.0`, 'CONNECT a:1 HTTP/1.1'])(
    'if refused, ends the connection without further answers: %s',
    async (line) => {
      const bytes = `${line}\r\nHost: a\r\nHost: b\r\n\r\n${request(PREFIX, 'Host: a')}`;
      expect((await refusal(bytes)).status).toBe(400);
    },
  );
});

describe('a whole URL as the target', () => {
  it.each([`${PREFIX}/tags`, '/', '/openapi.json', '/healthz', '/readyz'])('equals %s', async (path) => {
    const plain = await only(request(path, 'Host: a'));
    for (const scheme of ['HTTP', 'https', 'ftp']) {
      const whole = await only(request(`${scheme}://b:1${path}`, 'Host: a'));
      expect([whole.status, whole.body]).toEqual([plain.status, plain.body]);
    }
  });

  it('without a path is the page', async () => {
    expect((await only(request('http://a', 'Host: a'))).header('content-type')).toMatch(/html/);
    expect((await only(request('http://a?b', 'Host: a'))).header('content-type')).toMatch(/html/);
  });

  it.each([
    'http:///tags',
    'http://user@a/tags',
    'http://a,b/tags',
    'http://a:65536/',
    'https://[a]/',
    'http://?a',
  ])('%s is refused', async (target) => {
    expect((await refusal(request(target, 'Host: a'))).status).toBe(400);
  });
});

it.each([`${PREFIX}/tags`, '/'])('all lines with If-None-Match count: %s', async (path) => {
  const ask = (...tags: readonly string[]) =>
    only(request(path, 'Host: a', ...tags.map((tag) => `If-None-Match: ${tag}`)));
  const etag = (await ask()).header('etag') ?? '';
  expect((await ask('"x"', etag)).status).toBe(304);
  expect((await ask('"x"', '"y"')).status).toBe(200);
});

describe('input that is not HTTP', () => {
  const MESSAGE = /percent-encod.*curl -G --data-urlencode/;
  it.each([
    ['UTF-8 in the query', `${PREFIX}/posts?q=Мнение`],
    ['UTF-8 in the path', `${PREFIX}/posts/Мнение`],
    ['Latin-1 in the query', Buffer.from(`${PREFIX}/posts?q=caf\xe9`, 'latin1')],
    ['a space in the query', `${PREFIX}/posts?q=a b`],
    ['a control character', `${PREFIX}/posts?q=a\x01`],
  ])('%s is answered with what to do', async (_, target) => {
    expect(await refusal(rawGet(target))).toEqual({ status: 400, message: expect.stringMatching(MESSAGE) });
  });

  it('non-ASCII bytes never get into a target', async () => {
    for (let byte = 0x80; byte <= 0xff; byte += 1) {
      for (const before of ['/', '/a?', '/a#', 'http://', 'http://a/']) {
        const bytes = Buffer.from(request(`${before}${String.fromCharCode(byte)}`, 'Host: a'), 'latin1');
        expect((await only(bytes)).status).toBe(400);
      }
    }
  });

  it('HTTP/2 without TLS is answered in HTTP/1.1', async () => {
    const { status, message } = await refusal('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect([status, message]).toEqual([400, expect.stringMatching(/HTTP\/1\.1/)]);
  });
});

describe('a flood of long headers', () => {
  const PADDING = 60_000;
  const madeUp = () => formatKey(Array.from(randomBytes(RANDOM_CHARACTERS), (byte) => byte % 62));

  it.each([
    ['keys', () => ({ Authorization: `Bearer${' '.repeat(PADDING)}${madeUp()}` }), 401],
    [
      'addresses',
      (i: number) => ({ 'X-Forwarded-For': `${'x'.repeat(PADDING)}, 2001:db8::${i.toString(16)}` }),
      200,
    ],
  ] as const)('leaves none of them in memory, with its %s', async (_, headersOf, status) => {
    const own = await makeServedBlog(20);
    const args = ['serve', '--out', own.out, '--config', join(own.folder, 'offprint.json'), '--port', '0'];
    // Twelve hundred headers do not fit.
    const small = await startServer(args, undefined, { NODE_OPTIONS: '--max-old-space-size=64' });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const ask = (i: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${small.url}${PREFIX}/me`, { agent, headers: headersOf(i) }, (reply) => {
          reply.resume().on('end', () => resolve(reply.statusCode));
        }).on('error', reject);
      });
    for (let i = 0; i < 1200; i += 4)
      expect(new Set(await Promise.all([i, i + 1, i + 2, i + 3].map(ask)))).toEqual(new Set([status]));
    agent.destroy();
    await small.end('SIGKILL');
  });
});
