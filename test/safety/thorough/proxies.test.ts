/**
 * The proxies of deploy/, run in front of the service, if installed.
 */
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { H2CClient } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { makeReply, type Reply, send } from '../../service/client.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import type { Server } from '../../service/server-process.ts';
import { caddy, nginx, type Proxy } from '../proxies.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';
import { lacks } from '../../lacks.ts';

const KINDS = [nginx, caddy].filter(({ name, isTested }) => !lacks(name, isTested));

/** An error envelope like the service's, readable by pages of other origins. */
function expectErrorReply(reply: Reply | null, status: number): void {
  expect(reply).not.toBeNull();
  if (reply === null) return;
  expect(reply.status).toBe(status);
  expect(reply.json).toEqual({ success: false, message: expect.stringMatching(/^[A-Z].+\.$/) });
  expect(reply.header('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.header('access-control-allow-origin')).toBe('*');
  expect(reply.header('cache-control')).toBe('no-store');
  expect(reply.header('x-content-type-options')).toBe('nosniff');
  const exposed = reply.header('access-control-expose-headers')?.toLowerCase().split(', ');
  for (const name of ['retry-after', 'allow'])
    if (reply.header(name) !== undefined) expect(exposed).toContain(name);
}

describe.each(KINDS)('behind $name', (kind) => {
  let blog: ServedBlog;
  let server: Server;
  let proxy: Proxy;
  let url: string;

  beforeAll(async () => {
    blog = await makeServedBlog(60);
    server = await blog.serve();
    proxy = await kind.start(server.url);
    url = proxy.url;
  });
  afterAll(async () => {
    await proxy?.end();
    await server?.end('SIGKILL');
  });

  it('forged addresses have no effect', async () => {
    const used: number[] = [];
    for (const forged of ['192.0.2.1', '192.0.2.2', '192.0.2.3, 192.0.2.4', '', '127.0.0.1, 192.0.2.5']) {
      const reply = await send(url, { path: `${PREFIX}/me`, headers: { 'X-Forwarded-For': forged } });
      used.push(Number(reply.header('x-quota-used')));
    }
    const twice = ['X-Forwarded-For: 192.0.2.6', 'X-Forwarded-For: 192.0.2.7'];
    used.push(Number((await sendRaw(url, rawGet(`${PREFIX}/me`, twice)))?.header('x-quota-used')));
    const [first = 0] = used;
    expect(used).toEqual([0, 1, 2, 3, 4, 5].map((more) => first + more));
    const direct = await send(server.url, {
      path: `${PREFIX}/me`,
      headers: { 'X-Forwarded-For': '127.0.0.1' },
    });
    expect(Number(direct.header('x-quota-used'))).toBe(first + 6);
  });

  it.each([
    [`${PREFIX}/posts?per_page=50`, 'gzip'],
    [`${PREFIX}/posts?per_page=50`, 'br'],
    [`${PREFIX}/posts?per_page=50`, undefined],
    [`${PREFIX}/posts?per_page=1`, 'gzip'], // Too small for Offprint to compress.
    [PREFIX, undefined],
    ['/', 'gzip'],
    ['/', undefined],
  ])('%s with Accept-Encoding: %s is unchanged, with its own ETag', async (path, coding) => {
    const lines = coding === undefined ? [] : [`Accept-Encoding: ${coding}`];
    const headers = coding === undefined ? {} : { 'accept-encoding': coding };
    const [direct, passed] = await Promise.all([
      sendRaw(server.url, rawGet(path, lines)),
      sendRaw(url, rawGet(path, lines)),
    ]);
    for (const name of ['etag', 'content-encoding', 'content-type', 'vary', 'link', 'cache-control'])
      expect(passed?.header(name), name).toBe(direct?.header(name));
    if (path.startsWith(PREFIX)) expect(passed?.header('etag')).toMatch(/^"/); // The documentation page has weak ETags.
    expect(passed?.text).toBe(direct?.text);

    const known = { ...headers, 'if-none-match': passed?.header('etag') ?? '' };
    const again = await send(url, { path, headers: known });
    expect([again.status, again.text, again.header('etag')]).toEqual([304, '', passed?.header('etag')]);
    const head = await send(url, { path, headers, method: 'HEAD' });
    expect([head.status, head.text, head.header('etag')]).toEqual([200, '', passed?.header('etag')]);
  });

  it('only the interface can be reached', async () => {
    const paths = ['/healthz', '/readyz', '/api/public', '//healthz', '/docs/../healthz'];
    for (const path of [...paths, `${PREFIX}/../../../healthz`, '/docs/%2e%2e/healthz', '/elsewhere']) {
      const reply = await send(url, { path });
      expectErrorReply(reply, 404);
      expect(reply.text).not.toContain('"status"');
    }
    const { text } = await send(url, { path: '/docs/..%2fhealthz' });
    expect(text).not.toContain('"status"');
  });

  it.each([`${PREFIX}/posts/%2e%2e%2fa`, `${PREFIX}/posts/a%00b`, `${PREFIX}/posts/%`, `${PREFIX}/posts//a`])(
    'the path %s arrives unchanged, or is refused with the envelope',
    async (path) => {
      const reply = await sendRaw(url, rawGet(path));
      expect([400, 404]).toContain(reply?.status);
      // Caddy's library answers an invalid target before Caddy sees it.
      if (kind === nginx || reply?.status === 404) expectErrorReply(reply, reply?.status ?? 0);
    },
  );

  it("the longest URL that the service accepts is forwarded, and a longer one gets the service's 414", async () => {
    const path = `${PREFIX}/posts?per_page=1&x=`;
    const longest = await send(url, { path: path.padEnd(16_384, 'x') });
    expect(longest.status).toBe(200);
    const longer = await send(url, { path: path.padEnd(16_385, 'x') });
    expectErrorReply(longer, 414);
    expect(longer.header('x-quota-used')).toMatch(/^\d+$/);
    const far = await send(url, { path: path.padEnd(60_000, 'x') });
    expectErrorReply(far, 414);
  });

  it('a long header is forwarded, and an answer with long Link headers', async () => {
    const name = encodeURIComponent('𠀀'.repeat(200));
    const long = `category=${name}&tag=${name}&author=${name}&q=${encodeURIComponent('𠀀'.repeat(100))}`;
    const reply = await sendRaw(url, rawGet(`${PREFIX}/posts?${long}`, [`X-Long: ${'x'.repeat(30_000)}`]));
    expect(reply?.status).toBe(200);
    expect(reply?.header('link')?.length).toBeGreaterThan(16_384);
  });

  it.each(['GET', 'POST'])(
    'a body, a request in a body and odd framing are not forwarded: %s',
    async (method) => {
      const hidden = `GET ${PREFIX}/posts?page=987654 HTTP/1.1\r\nHost: a\r\n\r\n`;
      const withBody = await send(url, { path: `${PREFIX}/me`, method, body: hidden });
      expect(withBody.status).toBe(method === 'GET' ? 200 : 405);
      const both = `Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked`;
      const reply = await sendRaw(url, rawGet(`${PREFIX}/me`, [both, '', `0\r\n\r\n${hidden}`]));
      expect(reply?.text ?? '').not.toContain('987654');
      expect((await send(url, { path: `${PREFIX}/tags` })).status).toBe(200);
    },
  );

  it.each(['Content-Length: 200000', 'Transfer-Encoding: chunked'])(
    'a body that is too large is refused with the envelope, and delays nobody: %s',
    async (framing) => {
      const body = framing.startsWith('C')
        ? 'x'.repeat(200_000)
        : `30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`;
      const head = `POST ${PREFIX}/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${framing}\r\n\r\n`;
      const reply = await sendRaw(url, head + body);
      // Of unknown length, it may reach the service, which refuses the method before the proxy has read too much.
      const isRefused = !framing.startsWith('C') && reply?.status === 405;
      expectErrorReply(reply, isRefused ? 405 : 413);
      expect((await send(url, { path: `${PREFIX}/tags` })).status).toBe(200);
    },
  );

  it.each(['TRACE', 'DELETE', 'PURGE'])(
    '%s is refused with the envelope and the allowed methods',
    async (method) => {
      const reply = await sendRaw(
        url,
        `${method} ${PREFIX}/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expectErrorReply(reply, 405);
      expect(reply?.header('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('a preflight is answered only by the service', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    const reply = await send(url, { path: `${PREFIX}/me`, method: 'OPTIONS', headers });
    expect([reply.status, reply.header('access-control-allow-origin')]).toEqual([204, '*']);
  });

  it('parallel requests over keep-alive connections get their own answers', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => (i % 50) + 1);
    const found = await Promise.all(
      pages.map(async (perPage) => (await send(url, { path: `${PREFIX}/posts?per_page=${perPage}` })).json),
    );
    expect(found).toEqual(pages.map((per_page) => expect.objectContaining({ data: expect.objectContaining({ meta: expect.objectContaining({ per_page }) }) }))); // prettier-ignore
  });

  it('HTTP/2 gives the same: an answer, a 304, an error of the service and one of the proxy', async () => {
    const answer = await ask2(proxy.http2, `${PREFIX}/posts?per_page=50`);
    expect(answer.text).toBe((await sendRaw(server.url, rawGet(`${PREFIX}/posts?per_page=50`)))?.text);
    const known = { 'if-none-match': String(answer.header('etag')) };
    expect((await ask2(proxy.http2, `${PREFIX}/posts?per_page=50`, known)).status).toBe(304);
    expectErrorReply(await ask2(proxy.http2, `${PREFIX}/none`), 404);
    expectErrorReply(await ask2(proxy.http2, '/healthz'), 404);
    const long = await ask2(proxy.http2, `${PREFIX}/posts?x=`.padEnd(16_384, 'x'));
    expect(long.status).toBe(200);
  });
});

describe.skipIf(lacks('nginx', nginx.isTested))('requests that nginx refuses itself', () => {
  let proxy: Proxy;

  beforeAll(async () => {
    proxy = await nginx.start('http://127.0.0.1:9');
  });
  afterAll(() => proxy?.end());

  it.each([
    ['an invalid request', 'NOT HTTP\r\n\r\n', 400],
    ['no Host', 'GET /api/public/v1 HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /api/public/v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a NUL in the path', rawGet(`${PREFIX}/a%00b`), 400],
    ['HTTP/3.0', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 505],
    ['an unknown transfer coding', rawGet(PREFIX, ['Transfer-Encoding: none']), 501],
    ['a header of 50,000 bytes', rawGet(PREFIX, [`X: ${'x'.repeat(50_000)}`]), 431],
    ['a URL of 50,000 bytes', rawGet(`${PREFIX}?${'x'.repeat(50_000)}`), 414],
    ['a body of 70,000 bytes', rawGet(PREFIX, ['Content-Length: 70000']), 413],
    ['an unknown path', rawGet('/healthz'), 404],
    ['its own error page', rawGet('/offprint-error'), 404],
  ])('%s', async (_, request, status) => {
    expectErrorReply(await sendRaw(proxy.url, request), status);
  });
});

describe.each(KINDS)('a failing service behind $name', (kind) => {
  let broken: HttpServer;
  let proxy: Proxy;
  let impatient: Proxy;

  beforeAll(async () => {
    broken = createServer((request, response) => {
      if (request.url?.endsWith('/broken')) request.socket.destroy();
      else if (request.url?.endsWith('/half')) response.socket?.end('HTTP/1.1 200');
      // Others wait forever.
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    proxy = await kind.start(url);
    impatient = await kind.start(url, 1);
  });
  afterAll(async () => {
    await proxy?.end();
    await impatient?.end();
    broken?.close();
    broken?.closeAllConnections();
  });

  it.each([
    ['ends the connection', 'broken', 502],
    ['sends half an answer', 'half', 502],
    ['does not answer', 'slow', 504],
  ])('and %s', async (_, path, status) => {
    const { url } = status === 504 ? impatient : proxy;
    const reply = await send(url, { path: `${PREFIX}/${path}` });
    expectErrorReply(reply, status);
    expect(reply.header('retry-after')).toMatch(/^[1-9]\d*$/);
    const head = await send(url, { path: `${PREFIX}/${path}`, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([status, '']);
  });

  it('and is not there', async () => {
    const alone = await kind.start('http://127.0.0.1:9');
    const reply = await send(alone.url, { path: `${PREFIX}/tags` });
    const http2 = await ask2(alone.http2, `${PREFIX}/tags`);
    await alone.end();
    for (const answer of [reply, http2]) {
      expectErrorReply(answer, 502);
      expect(answer.header('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  // Caddy has no such limit.
  if (kind === nginx)
    it('and too many connections of one client are refused with 429', async () => {
      const asked = Array.from({ length: 66 }, () => sendRaw(proxy.url, rawGet(`${PREFIX}/slow`)));
      expect((await Promise.race(asked))?.status).toBe(429);
      broken.closeAllConnections();
      const replies = await Promise.all(asked);
      for (const reply of replies.filter((one) => one?.status === 429)) {
        expectErrorReply(reply, 429);
        expect(reply?.header('retry-after')).toMatch(/^[1-9]\d*$/);
      }
    });
});

/** One request over HTTP/2 without TLS. */
async function ask2(origin: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const client = new H2CClient(origin);
  try {
    const reply = await client.request({ method: 'GET', path, headers });
    return makeReply(reply.statusCode, reply.headers, await reply.body.text());
  } finally {
    await client.close();
  }
}
