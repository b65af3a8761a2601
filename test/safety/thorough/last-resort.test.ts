/**
 * No fault ends a serving process: uncaught errors, no file descriptors, a full disk for its log.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import { offprint } from '../../service/command.ts';
import { type Server, startServer } from '../../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';
import { freePort } from '../../service/free-port.ts';
import { OFFPRINT } from '../../service/program.ts';
import { lacks } from '../../lacks.ts';

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(20);
});

/** 0: there is no answer. */
const statusOf = (url: string, path: string): Promise<number> =>
  send(url, { path }).then(
    ({ status }) => status,
    () => 0,
  );
const stillServes = async ({ url }: Server) => expect(await statusOf(url, '/healthz')).toBe(200);

/** Throws an uncaught error on a signal, or at once with PLANT=now. */
const PRELOAD = `
  process.on('SIGUSR2', () => setImmediate(() => { throw new Error('planted error'); }));
  process.on('SIGWINCH', () => void Promise.reject(new Error('planted rejection')));
  if (process.env.PLANT === 'now') setTimeout(() => { throw new Error('planted error'); }, 1);
`;

describe('an uncaught error', () => {
  const environment = () => {
    const path = join(blog.folder, 'preload.mjs');
    writeFileSync(path, PRELOAD);
    return { NODE_OPTIONS: `--import=${path}` };
  };
  const config = () => join(blog.folder, 'offprint.json');
  const files = () => ['--out', blog.out, '--config', config(), '--port', '0'];

  it.each(['serve', 'start'])('is logged, and %s continues', async (command) => {
    const more = command === 'start' ? ['--db', blog.db] : [];
    const server = await startServer([command, ...files(), ...more], undefined, environment());
    try {
      for (const [signal, text] of [
        ['SIGUSR2', 'planted error'],
        ['SIGWINCH', 'planted rejection'],
      ] as const) {
        const count = () => server.log.split(text).length;
        const before = count();
        process.kill(server.pid, signal);
        await expect.poll(count).toBeGreaterThan(before);
        await stillServes(server);
      }
    } finally {
      expect(await server.end('SIGTERM'), server.log).toBe(0);
    }
  });

  it('ends a command that does not serve', async () => {
    const args = ['build', '--db', blog.db, '--out', blog.out, '--config', config(), '--full'];
    const { code, stderr } = await offprint(args, undefined, { ...environment(), PLANT: 'now' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('planted error');
  });
});

const HAS_PRLIMIT = spawnSync('prlimit', ['--version']).status === 0;

it.skipIf(lacks('prlimit', HAS_PRLIMIT))(
  'without file descriptors for connections, it continues',
  async () => {
    const server = await blog.serve();
    try {
      await stillServes(server);
      const open = readdirSync(`/proc/${server.pid}/fd`).length;
      expect(spawnSync('prlimit', ['--pid', String(server.pid), `--nofile=${open + 4}`]).status).toBe(0);
      const { port } = new URL(server.url);
      for (let times = 0; times < 2; times += 1) {
        const sockets = Array.from({ length: 60 }, () =>
          connect(Number(port), '127.0.0.1').on('error', () => undefined),
        );
        await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
        for (const socket of sockets) socket.resetAndDestroy();
      }
      await expect.poll(() => statusOf(server.url, '/healthz')).toBe(200);
    } finally {
      expect(await server.end('SIGTERM'), server.log).toBe(0);
    }
  },
);

it.each(['off', 'text', 'json'])('with a log on a full disk (log: %s), it serves', async (log) => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const config = join(blog.folder, 'offprint.json');
  const args = ['serve', '--out', blog.out, '--config', config, '--port', String(port), '--log', log];
  const child = spawn(process.execPath, [OFFPRINT, ...args], { stdio: ['ignore', full, full] });
  closeSync(full);
  const ended = once(child, 'exit');
  const status = () => statusOf(`http://127.0.0.1:${port}`, `${PREFIX}/tags`);
  try {
    await expect.poll(status).toBe(200);
    for (let times = 0; times < 200; times += 1) expect(await status()).toBe(200);
  } finally {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]); // It has written the log at the latest now.
  }
});
