/**
 * Connections that are slow, half open, or too many, and answers that must not be mixed up. The tests run in
 * parallel, because many wait.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import type { Server } from '../../service/server-process.ts';
import { readReplies, repliesTo } from '../fuzz/replies.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

let blog: ServedBlog;
let server: Server;
beforeAll(async () => {
  blog = await makeServedBlog(60);
  server = await blog.serve();
});
afterAll(() => server.end('SIGKILL'));

interface Talk {
  readonly socket: Socket;
  /** All received bytes, once the service has closed the connection. */
  readonly closed: Promise<Buffer>;
}

async function talk(): Promise<Talk> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.on('end', () => socket.destroy());
  const closed = new Promise<Buffer>((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks))));
  await once(socket, 'connect');
  return { socket, closed };
}

/** The statuses of the replies to these bytes, until the connection ends. */
const statusesOf = async (bytes: string) =>
  (await repliesTo(server.url, bytes, false)).map(({ status }) => status);

const GET = `GET ${PREFIX}/tags HTTP/1.1\r\nHost: a\r\n`;
const stillServes = async () => expect((await send(server.url, { path: PREFIX })).status).toBe(200);

describe.concurrent('timeouts', () => {
  it.each([
    ['nothing at all', '', [408]],
    ['half a request line', 'GET /api', [408]],
    ['half of the headers', GET, [408]],
    ['half of a body', `${GET}Content-Length: 9\r\n\r\nabc`, [200]],
    ['half of a chunk', `${GET}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`, [200]],
    ['a request, and then nothing', `${GET}\r\n`, [200]],
  ])('end a connection with %s', async (_, bytes, statuses) => {
    expect(await statusesOf(bytes)).toEqual(statuses);
  });

  it('end a connection with a request and then half of one', async () => {
    // As idle or as slow, depending on when Node checks.
    expect([[200], [200, 408]]).toContainEqual(await statusesOf(`${GET}\r\nGET /`));
  });

  it('end a connection that sends a byte now and then', async () => {
    const { socket, closed } = await talk();
    const drip = setInterval(() => socket.write('x'), 500);
    socket.write(`${GET}X-Slow: `);
    const bytes = await closed;
    clearInterval(drip);
    expect(readReplies(bytes, true).replies.map(({ status }) => status)).toEqual([408]);
  });

  it('end a connection whose client never reads', async () => {
    const { socket, closed } = await talk();
    socket.pause();
    const request = `GET ${PREFIX}/posts?per_page=50 HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (let times = 0; times < 400; times += 1) socket.write(request);
    // Closed by the service. A paused socket notices that when it writes.
    const poke = setInterval(() => socket.write(request), 1000);
    await closed;
    clearInterval(poke);
    await stillServes();
  });
});

describe.concurrent('on one connection', () => {
  it('a malformed request does not overtake earlier answers', async () => {
    for (let times = 0; times < 50; times += 1) {
      const bytes = `${GET}\r\n`.repeat(5) + 'BROKEN\r\n\r\n';
      expect(await statusesOf(bytes)).toEqual([200, 200, 200, 200, 200, 400]);
    }
  });

  it('nor does a request for a tunnel', async () => {
    expect(await statusesOf(`${GET}\r\n`.repeat(5) + 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toEqual([
      ...[200, 200, 200, 200, 200, 404],
    ]);
  });

  it.each([
    [
      'a length and chunks',
      `${GET}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${GET}\r\n`,
    ],
    ['two lengths', `${GET}Content-Length: 0\r\nContent-Length: 60\r\n\r\n${GET}\r\n`],
    ['a folded header', `${GET}X: a\r\n b\r\nContent-Length : 5\r\n\r\n${GET}\r\n`],
    ['bare line feeds', `${GET.replaceAll('\r', '')}\n${GET}\r\n`],
    ['a coding after chunked', `${GET}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${GET}\r\n`],
    ['an unknown coding', `${GET}Transfer-Encoding: xchunked\r\n\r\n${GET}\r\n`],
    ['no Host', `GET ${PREFIX} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ])('%s gets one refusal, then the connection ends', async (_, bytes) => {
    expect(await statusesOf(bytes)).toEqual([400]);
  });

  it.each([
    ['that waits for 100 Continue', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n'],
    ['that expects something else', 'Expect: a-miracle\r\nConnection: close\r\n\r\n'],
    ['that asks for another protocol', 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('a request %s gets one answer', async (_, lines) => {
    expect(await statusesOf(GET + lines)).toEqual([200]);
  });

  it('a request in a body is not answered', async () => {
    const bytes = `${GET}Content-Length: ${GET.length + 2}\r\n\r\n${GET}\r\n${GET}Connection: close\r\n\r\n`;
    expect(await statusesOf(bytes)).toEqual([200, 200]);
  });

  it('an endless body gets its answer, then the connection ends', async () => {
    const { socket, closed } = await talk();
    socket.write(`POST ${PREFIX}/me HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n`);
    const more = setInterval(() => socket.write('x'.repeat(20_000)), 20);
    const bytes = await closed;
    clearInterval(more);
    expect(readReplies(bytes, true).replies.map(({ status }) => status)).toEqual([405]);
  });
});

describe.concurrent('clients that disconnect', () => {
  it.each([
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request', `${GET}\r\n`],
    ['what is no HTTP', 'BROKEN\r\n\r\n'],
    ['an upgrade', `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  ])('in the middle of %s do no harm', async (_, bytes) => {
    for (let times = 0; times < 100; times += 1) {
      const { socket } = await talk();
      socket.write(bytes);
      if (times % 2 === 0) await sleep(0);
      socket.resetAndDestroy();
    }
    await stillServes();
  });
});

it('memory is bounded when a thousand connections each send the maximum', async () => {
  const talks = await Promise.all(Array.from({ length: 1000 }, talk));
  const filler = `${GET}X-Filler: ${'x'.repeat(60_000)}`;
  for (const { socket } of talks) socket.write(filler);
  await stillServes();
  for (const { socket } of talks) socket.resetAndDestroy();
  await stillServes();
  expect(server.log).not.toMatch(/Error/);
});
