/**
 * No request and no fault ends a serving process: unreadable counts, uncaught errors.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { quotaPath } from '../../gateway/node/one-machine.ts';
import { send } from '../service/client.ts';
import { offprint } from '../service/command.ts';
import { sendRaw } from '../service/raw-client.ts';
import { type Server, startServer } from '../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';
import { freePort } from '../service/free-port.ts';
import { OFFPRINT } from '../service/program.ts';
import { lacks } from '../lacks.ts';

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(20);
});

const stillServes = async (server: Server): Promise<void> => {
  expect((await send(server.url, { path: '/healthz' })).status).toBe(200);
};

describe('counts that cannot be read', () => {
  /** More than SQLite's cache, so most callers are read from the file. */
  function fillCounts(): void {
    const db = new Database(quotaPath(blog.out));
    const insert = db.prepare(
      'INSERT OR REPLACE INTO tally (principal, day, used, minute) VALUES (?, 99999999, 1, ?)',
    );
    const filler = Array.from({ length: 36 }, () => '1000').join(' ');
    db.transaction(() => {
      for (let i = 0; i < 100_000; i += 1)
        insert.run(
          `address:${createHash('sha256').update(String(i)).digest('base64url').slice(0, 22)}`,
          filler,
        );
    })();
    db.close();
  }

  it('give a 400 or a 500, and do not end the process', async () => {
    await (await blog.serve()).end('SIGTERM');
    fillCounts();
    const server = await blog.serve();
    try {
      const path = quotaPath(blog.out);
      const bytes = readFileSync(path);
      bytes.fill(0xaa, 8192);
      writeFileSync(path, bytes);

      const statuses = new Set<number>();
      for (let i = 0; i < 40; i += 1) {
        const headers = { 'x-forwarded-for': `198.51.100.${i}` };
        for (const call of [`${PREFIX}/me`, `${PREFIX}/tags`, '/nothing'])
          statuses.add((await send(server.url, { path: call, headers })).status);
      }
      expect(statuses).toContain(500);
      for (const status of statuses) expect([200, 404, 500]).toContain(status);

      const get = `GET ${PREFIX} HTTP/1.1\r\n`;
      // Whether this address's count can still be read depends on SQLite's cache.
      for (const [sent, ...expected] of [
        [`${get}Host: a\r\nHost: b\r\n\r\n`, 400],
        ['NOT HTTP\r\n\r\n', 400],
        ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 404, 500],
        [`${get}Host: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`, 200, 500],
        [`OPTIONS ${PREFIX} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 204, 500],
      ] as const) {
        const reply = await sendRaw(server.url, sent);
        expect(expected, sent).toContain(reply?.status);
        if ((reply?.status ?? 0) >= 400) expect(reply?.json).toMatchObject({ success: false });
      }
      await stillServes(server);
      expect([200, 503]).toContain((await send(server.url, { path: '/readyz' })).status);
      expect(server.log).toMatch(/quota\.db/);
    } finally {
      expect(await server.end('SIGTERM'), server.log).toBe(0);
      for (const end of ['', '-wal', '-shm']) spawnSync('rm', ['-f', quotaPath(blog.out) + end]);
    }
  });
});

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

  it.each(['serve', 'start'])(
    'is logged, and %s continues',
    async (command) => {
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
    },
    60_000,
  );

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
      const open = openFiles(server.pid);
      expect(spawnSync('prlimit', ['--pid', String(server.pid), `--nofile=${open + 4}`]).status).toBe(0);
      const { port } = new URL(server.url);
      for (let times = 0; times < 2; times += 1) {
        const sockets = Array.from({ length: 60 }, () =>
          connect(Number(port), '127.0.0.1').on('error', () => undefined),
        );
        await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
        for (const socket of sockets) socket.resetAndDestroy();
      }
      await expect
        .poll(
          () =>
            send(server.url, { path: '/healthz' }).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 120_000 },
        )
        .toBe(200);
    } finally {
      expect(await server.end('SIGTERM'), server.log).toBe(0);
    }
  },
);

function openFiles(pid: number): number {
  return spawnSync('ls', [`/proc/${pid}/fd`])
    .stdout.toString()
    .trim()
    .split('\n').length;
}

it.each(['off', 'text', 'json'])('with a log on a full disk (log: %s), it serves', async (log) => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const config = join(blog.folder, 'offprint.json');
  const args = ['serve', '--out', blog.out, '--config', config, '--port', String(port), '--log', log];
  const child = spawn(process.execPath, [OFFPRINT, ...args], { stdio: ['ignore', full, full] });
  closeSync(full);
  const ended = once(child, 'exit');
  const path = `${PREFIX}/tags`;
  const status = () =>
    send(`http://127.0.0.1:${port}`, { path }).then(
      (reply) => reply.status,
      () => 0,
    );
  try {
    await expect.poll(status).toBe(200);
    for (let times = 0; times < 200; times += 1) expect(await status()).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 600)); // The log is written every quarter of a second.
    expect(await status()).toBe(200);
  } finally {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
});
