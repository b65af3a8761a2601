/** A key that is revoked is dead at this machine's gateway, although a disk is full; no key is active that nobody saw. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { editing } from '../../build/publishing.ts';
import { runOffprint } from '../../build/offprint-process.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { CAN_MOUNT, fill, smallDisk } from '../../build/tmpfs.ts';
import { lacks } from '../../lacks.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import type { CreatedKey } from '../../service/home.ts';
import { createKey, recordOf } from '../../service/key-commands.ts';
import { OFFPRINT } from '../../service/program.ts';
import { startServer } from '../../service/server-process.ts';

const DISK_BYTES = 24 * 2 ** 20;

/** @param at where its database and output are, if not in one temporary folder */
async function builtBlog(at: { db?: string; out?: string } = {}) {
  const { db, out } = { ...blogPaths(), ...at };
  const files = ['--db', db, '--out', out];
  generateBlog(db, { posts: 3, seed: 1 });
  await answerOf(['build', ...files]);
  const create = (account: string) => createKey(files, { account, name: 'site' });
  const keys = [await create('ada'), await create('ada'), await create('bob')] as const;
  const serve = async (...command: readonly string[]) => {
    const server = await startServer([...command, '--port', '0']);
    onTestFinished(async () => void (await server.end('SIGTERM')));
    /** The first time that the gateway sees the key: it believes a record for 10 seconds. */
    return async (key: string) => {
      const response = await fetch(`${server.url}/api/public/v1/me`, { headers: { 'x-api-key': key } });
      return response.status;
    };
  };
  const active = () => {
    const blog = new Database(db, { readonly: true });
    const prefixes = blog.prepare('SELECT prefix FROM api_keys WHERE revoked_at IS NULL').pluck().all();
    blog.close();
    return prefixes;
  };
  return { db, out, files, keys, serve, recordOf: ({ key }: CreatedKey) => recordOf(out, key), active };
}

test('a key that cannot be shown is revoked', async () => {
  const { files, keys, active } = await builtBlog();
  const before = active();
  for (const output of ['> /dev/full', '>&3']) {
    const create = `keys create --account eve --name n --json ${files.join(' ')} ${output}`;
    // 3: a pipe whose reader has ended.
    const script = `exec 3> >(true); wait $!; ${process.execPath} ${OFFPRINT} ${create}`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(status, stderr).toBe(1);
    expect(stderr).toMatch(/^error: [^\n]*so the new key opk_\w+ was revoked\.[^\n]*\n$/);
    expect(active()).toEqual(before);
  }
  expect(before).toHaveLength(keys.length);
});

test('output that cannot be written ends a command with one line', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `${process.execPath} ${OFFPRINT} --help > /dev/full`], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^error: [^\n]*\n$/) });
});

describe.skipIf(lacks('permission to mount', CAN_MOUNT))('on a full disk', () => {
  test('of the output, keys are revoked and removed, and none is created or replaced', async () => {
    const disk = smallDisk(DISK_BYTES);
    const blog = await builtBlog({ out: join(disk.folder, 'out') });
    const { out, files, keys, serve, recordOf, active } = blog;
    const [first, second, other] = keys;
    const statusOf = await serve('serve', '--out', out);
    const before = readdirSync(join(out, 'keys')).sort();
    fill(disk.folder);

    const revoked = await runOffprint(['keys', 'revoke', first.prefix, ...files]);
    expect(revoked).toMatchObject({ code: 0, stderr: '' });
    expect(await statusOf(first.key)).toBe(401);
    expect(active()).toEqual([second.prefix, other.prefix]);

    for (const command of [
      ['keys', 'create', '--account', 'eve', '--name', 'n', '--json'],
      ['keys', 'rotate', other.prefix, '--json'],
    ]) {
      const { code, stdout, stderr } = await runOffprint([...command, ...files]);
      expect({ code, stdout }, command.join(' ')).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^error: [^\n]*disk is full[^\n]*\n$/);
      expect(stderr).toContain(out);
    }
    expect(active()).toEqual([second.prefix, other.prefix]);
    expect(await statusOf(other.key)).toBe(200);
    expect((await runOffprint(['accounts', 'remove', 'ada', '--yes', ...files])).code).toBe(0);
    expect(await statusOf(second.key)).toBe(401);

    rmSync(join(disk.folder, 'filler'));
    await answerOf(['build', ...files]);
    expect(readdirSync(join(out, 'keys')).sort()).toEqual(before);
    expect([first, second, other].map((key) => recordOf(key).revoked)).toEqual([true, true, false]);
    expect((await offprintInProcess(['status', '--out', out])).stdout).not.toContain('failed');
  });

  test('of the database, a key is dead at once, is never revived, and the running `start` finishes it', async () => {
    const disk = smallDisk(DISK_BYTES);
    const blog = await builtBlog({ db: join(disk.folder, 'blog.db') });
    const { out, files, keys, serve, recordOf, active } = blog;
    const [first, second, other] = keys;
    const statusOf = await serve('start', ...files, '--cron', '* * * * * *');
    fill(disk.folder);

    for (const command of [
      ['keys', 'revoke', first.prefix],
      ['accounts', 'remove', 'Ada', '--yes'],
    ]) {
      const { code, stderr } = await runOffprint([...command, ...files]);
      expect(code, command.join(' ')).toBe(1);
      expect(stderr).toMatch(
        /^error: \S+blog\.db cannot be used, since its disk is full\. .* no longer works on this machine .*run the command again/,
      );
      expect(stderr).not.toContain('keys.lock');
    }
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 401]);
    const rotated = await runOffprint(['keys', 'rotate', other.prefix, '--json', ...files]);
    expect(rotated).toMatchObject({ code: 1, stdout: '' });
    expect(await statusOf(other.key)).toBe(200);
    expect((await offprintInProcess(['status', '--out', out])).stdout).toContain('changing keys, for');
    await runOffprint(['build', ...files]);
    expect([first, second].map((key) => recordOf(key).revoked)).toEqual([true, true]);

    rmSync(join(disk.folder, 'filler'));
    await expect.poll(active).toEqual([other.prefix]);
    await expect.poll(() => existsSync(join(out, 'state', 'keys.unfinished'))).toBe(false);
    expect([first, second, other].map((key) => recordOf(key).revoked)).toEqual([true, true, false]);
  });
});

test('a key that only its file says is revoked is listed so, and revoked by the next build', async () => {
  const { db, out, files, keys, recordOf, active } = await builtBlog();
  const [first, second, other] = keys;
  const lock = new Database(db).exec('BEGIN IMMEDIATE'); // Until the command gives up.
  const revoked = await runOffprint(['keys', 'revoke', first.prefix, ...files]);
  expect(revoked).toMatchObject({ code: 1, stderr: expect.stringContaining('stayed locked') });
  lock.exec('ROLLBACK').close();
  expect(active()).toHaveLength(3);
  expect(await answerOf(['keys', 'list', ...files])).toMatchObject([
    { prefix: first.prefix, revoked_at: expect.any(String) },
    { prefix: second.prefix, revoked_at: null },
    { prefix: other.prefix, revoked_at: null },
  ]);
  expect((await offprintInProcess(['doctor', ...files])).stdout).toContain('not yet in the database');
  await answerOf(['build', ...files]);
  expect(active()).toEqual([second.prefix, other.prefix]);
  expect(recordOf(first).revoked).toBe(true);
  expect((await offprintInProcess(['status', '--out', out])).stdout).not.toContain('changing keys');
});

test('a revocation asks the database whose key it is, if that can be read', async () => {
  const { db, files, keys, recordOf } = await builtBlog();
  editing(db, (blog) => blog.exec("UPDATE accounts SET name = 'eve', folded = 'eve' WHERE name = 'bob'"));
  const removed = await offprintInProcess(['accounts', 'remove', 'bob', '--yes', ...files]);
  expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining('no account "bob"') });
  expect(keys.map((key) => recordOf(key).revoked)).toEqual([false, false, false]);
});
