/**
 * Restarts while callers send requests: none is refused, lost or counted twice.
 */
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { lacks } from '../../lacks.ts';
import { send } from '../../service/client.ts';
import { freePort } from '../../service/free-port.ts';
import { holdSocket } from '../../service/passed-socket.ts';
import { startServer } from '../../service/server-process.ts';
import { caddy } from '../proxies.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

const CALLERS = 8;
/** Longer than Caddy keeps idle connections. */
const DRAIN = '9s';

/** Callers that send one request after another. */
function startLoad(url: string) {
  let [sent, isOver] = [0, false];
  const failed: string[] = [];
  async function call(): Promise<void> {
    while (!isOver) {
      sent += 1;
      const result = await send(url, { path: `${PREFIX}/posts?per_page=1` }).then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      if (result !== 200) failed.push(String(result));
    }
  }
  const calls = Array.from({ length: CALLERS }, call);
  return {
    /** Until each caller has sent some requests more. */
    async goesOn(): Promise<void> {
      const most = sent + 5 * CALLERS;
      await vi.waitUntil(() => sent > most, { interval: 5, timeout: 300_000 });
    },
    async end(): Promise<{ readonly sent: number; readonly failed: readonly string[] }> {
      isOver = true;
      await Promise.all(calls);
      return { sent, failed };
    },
  };
}

const flagsOf = ({ out, folder }: ServedBlog) => [
  'serve',
  '--out',
  out,
  '--config',
  `${folder}/offprint.json`,
];

test.concurrent('twenty restarts behind a socket of the service manager', async ({ expect }) => {
  const blog = await makeServedBlog(60);
  const socket = holdSocket();
  const start = () => socket.start(...flagsOf(blog), '--drain', '1s');
  let service = await start();
  const load = startLoad(socket.url);
  for (let restart = 1; restart <= 20; restart += 1) {
    await load.goesOn();
    expect(await service.end()).toBe(0);
    service = await start();
  }
  const { sent, failed } = await load.end();
  expect(failed).toEqual([]);
  const me = await send(socket.url, { path: `${PREFIX}/me` });
  expect(me.header('x-quota-used')).toBe(String(sent + 1));
  await service.end();
  socket.close();
});

test.concurrent('start takes the socket too', async ({ expect }) => {
  const blog = await makeServedBlog(60);
  const socket = holdSocket();
  const { port } = new URL(socket.url);
  for (let run = 1; run <= 2; run += 1) {
    // While the socket is held, nobody else can listen on its port.
    const service = await socket.start('start', '--db', blog.db, ...flagsOf(blog).slice(1), '--port', port);
    expect((await send(socket.url, { path: '/readyz' })).status).toBe(200);
    expect(await service.end()).toBe(0);
  }
  socket.close();
});

test.concurrent('rolling restarts of two gateways behind Caddy', async ({ expect, skip }) => {
  if (lacks('Caddy', caddy.isTested)) skip();
  const blogs = await Promise.all([makeServedBlog(60), makeServedBlog(60)]);
  const gateways = await Promise.all(
    blogs.map(async (blog) => {
      const port = String(await freePort());
      return { port, args: [...flagsOf(blog), '--port', port, '--drain', DRAIN, '--log', 'text'] };
    }),
  );
  const services = await Promise.all(gateways.map(({ args }) => startServer(args)));
  const proxy = await caddy.start(gateways.map(({ port }) => `http://127.0.0.1:${port}`).join(' '));
  const load = startLoad(proxy.url);
  for (let roll = 1; roll <= 2; roll += 1) {
    for (const [index, { args }] of gateways.entries()) {
      await load.goesOn();
      expect(await services[index]?.end('SIGTERM')).toBe(0);
      const restarted = await startServer(args);
      services[index] = restarted;
      // Caddy has seen that it is ready.
      await expect.poll(() => restarted.log).toContain(`GET ${PREFIX}`);
    }
  }
  expect((await load.end()).failed).toEqual([]);
  await proxy.end();
  await Promise.all(services.map((service) => service.end('SIGKILL')));
});

test('after SIGTERM the service is not ready, and each answer is the last on its connection', async () => {
  const blog = await makeServedBlog(60);
  const server = await blog.serve('--drain', '600s');
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const ask = async (path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: api.example\r\n\r\n`);
    return String(await once(socket, 'data'));
  };
  expect(await ask('/readyz')).toMatch(/^HTTP\/1\.1 200 [^]*keep-alive/);
  const ended = server.end('SIGTERM');
  await expect.poll(async () => (await send(server.url, { path: '/readyz' })).status).toBe(503);
  expect((await send(server.url, { path: '/healthz' })).status).toBe(200);
  const { status, header } = await send(server.url, { path: `${PREFIX}/posts` });
  expect([status, header('connection')]).toEqual([200, 'close']);
  const answer = ask(`${PREFIX}/posts`);
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/);
  await server.end('SIGTERM'); // A second signal ends it at once.
  expect(await ended).toBe(130);
});
