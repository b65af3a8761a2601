/**
 * Health checks for process managers, and how a service stops.
 */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import type { Server } from '../../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(60);
});

describe('health', () => {
  let server: Server;
  beforeAll(async () => {
    server = await blog.serve();
  });
  afterAll(() => server.end('SIGKILL'));

  it.each([
    ['/healthz', 'live'],
    ['/readyz', 'ready'],
  ])('%s says yes, and nothing else', async (path, status) => {
    const reply = await send(server.url, { path });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(JSON.stringify({ success: true, data: { status } }));
    expect(reply.header('x-quota-limit')).toBeUndefined();
    expect(reply.header('cache-control')).toBe('no-store');
    expect((await send(server.url, { path, method: 'HEAD' })).status).toBe(200);
  });

  it('does not count against a quota', async () => {
    const used = async () => (await send(server.url, { path: `${PREFIX}/me` })).header('x-quota-used');
    const before = Number(await used());
    for (let times = 0; times < 5; times += 1) await send(server.url, { path: '/readyz' });
    expect(Number(await used())).toBe(before + 1);
  });
});

it.each(['off', 'text', 'json'])('continues when the reader of its log has ended, log: %s', async (log) => {
  const server = await blog.serve('--log', log);
  try {
    server.hangUp();
    const id = async () => (await send(server.url, { path: `${PREFIX}/posts` })).header('etag');
    const before = await id();
    const db = new Database(blog.db);
    db.prepare('UPDATE posts SET title = ?').run(`After ${log}`);
    db.close();
    await blog.build();
    await expect.poll(id).not.toBe(before); // It reports that to nobody.
    expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
  }
});

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  it('exits with 0 and truncates no answer, whatever clients do', async () => {
    const server = await blog.serve();
    const idle = await open(server);
    const halfSent = await open(server);
    halfSent.write(`GET ${PREFIX}/posts HTTP/1.1\r\nHost: a\r\n`);
    const stop = new AbortController();
    const clients = Array.from({ length: 8 }, () => requestRepeatedly(server, stop.signal));
    await Promise.all(clients.map(({ answered }) => answered));
    void server.end('SIGUSR1');
    await Promise.all(Array.from({ length: 20 }, () => send(server.url, { path: PREFIX })));
    expect(await server.end(signal), server.log).toBe(0);
    expect(server.log).not.toContain('Debugger'); // Node would open its port.
    stop.abort();
    expect(await Promise.all(clients.map(({ rest }) => rest))).toEqual(clients.map(() => ''));
    for (const socket of [idle, halfSent]) socket.destroy();
  });
});

async function open(server: Server): Promise<Socket> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends requests on one connection until it is closed: the first complete answer, and what is left of a truncated one. */
function requestRepeatedly(server: Server, signal: AbortSignal) {
  const answered = Promise.withResolvers<void>();
  const rest = open(server).then(async (socket) => {
    const request = `GET ${PREFIX}/posts?per_page=50 HTTP/1.1\r\nHost: a\r\n\r\n`;
    let text = '';
    signal.addEventListener('abort', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head === -1 || text.length < head + 4 + length) return;
      answered.resolve();
      text = '';
      socket.write(request);
    });
    socket.write(request);
    // Not `once`, which would treat a write to a closing connection as a failure.
    await new Promise((resolve) => socket.on('close', resolve));
    return text;
  });
  return { answered: answered.promise, rest };
}
