import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleBlog } from '../service/blogs.ts';
import { send } from '../service/client.ts';
import { offprint, offprintJson } from '../service/command.ts';
import { createKey } from '../service/key-commands.ts';
import { startServer } from '../service/server-process.ts';
import { workersHome } from '../service/node-home.ts';
import { describeQuotas } from './quotas.ts';

describeQuotas(workersHome);

describe('workers', () => {
  test('one that dies is replaced, and no count is lost', async () => {
    const { out, key } = await published();
    const server = await startServer(['serve', '--out', out, '--port', '0', '--workers', '2']);
    try {
      const workers = childrenOf(server.pid);
      expect(workers).toHaveLength(2);
      const get = () => send(server.url, { path: '/api/public/v1/me', headers: { 'x-api-key': key } });
      expect((await get()).header('X-Quota-Used')).toBe('1');

      const [victim = 0] = workers;
      process.kill(victim, 'SIGKILL');
      await expect
        .poll(() => childrenOf(server.pid).filter((pid) => pid !== victim).length, PATIENCE)
        .toBe(2);
      expect(server.log).toMatch(/a worker ended.* \(SIGKILL\); another is started/);
      const used = new Set<string | undefined>();
      await expect.poll(async () => used.add((await get()).header('X-Quota-Used')).size, PATIENCE).toBe(6);
      expect([...used].map(Number)).toEqual([2, 3, 4, 5, 6, 7]);
    } finally {
      expect(await server.end('SIGTERM')).toBe(0);
    }
  });

  test('they end with the process that counts', async () => {
    const { out } = await published();
    const server = await startServer(['serve', '--out', out, '--port', '0', '--workers', '2']);
    const workers = childrenOf(server.pid);
    await server.end('SIGKILL');
    await expect.poll(() => workers.filter((pid) => parentOf(pid) !== undefined), PATIENCE).toEqual([]);
  });

  test('a port that is taken, and nothing to serve, are one line', async () => {
    const { out } = await published();
    const server = await startServer(['serve', '--out', out, '--port', '0']);
    try {
      const other = await published();
      const port = new URL(server.url).port;
      const taken = await offprint(['serve', '--out', other.out, '--port', port, '--workers', '2']);
      expect(taken).toMatchObject({ code: 1, stdout: '' });
      expect(taken.stderr).toBe(
        `error: Port ${port} on 127.0.0.1 is taken by another program. Choose another with --port.\n`,
      );
    } finally {
      await server.end('SIGTERM');
    }
    const empty = await offprint(['serve', '--out', newFolder(), '--port', '0', '--workers', '2']);
    expect(empty).toMatchObject({ code: 1, stdout: '' });
    expect(empty.stderr).toMatch(/^error: Nothing is published in .*\n$/);
  });
});

const PATIENCE = { timeout: 20_000, interval: 50 };
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-workers-'));
  folders.push(folder);
  return folder;
}

async function published(): Promise<{ out: string; key: string }> {
  const folder = newFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  copyFileSync((await sampleBlog()).db, db);
  await offprintJson(['build', '--db', db, '--out', out]);
  const { key } = await createKey(['--db', db, '--out', out], { account: 'ada', name: 'workers' });
  return { out, key };
}

/** Processes that one started, by what Linux tells of each. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // It has ended meanwhile.
  }
}
