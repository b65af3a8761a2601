/**
 * Permissions of Offprint's files: the snapshot follows the umask, everything else is private to its user, who needs to write
 * nothing but its data.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fastGlob from 'fast-glob';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { shortBlog } from '../../build/publishing.ts';
import { ROOT } from '../../docs/documents.ts';
import { following, resultOf } from '../../service/command.ts';
import { send } from '../../service/client.ts';
import { CAN_BE_NOBODY, ENVIRONMENT_OF_NOBODY, NOBODY } from '../as-nobody.ts';
import { OFFPRINT } from '../../service/program.ts';
import { lacks } from '../../lacks.ts';

interface User {
  readonly umask: string;
  readonly uid?: number;
}

/** Starts `offprint ARGUMENTS` with this umask. */
function spawnWith({ umask, uid }: User, args: readonly string[]) {
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const script = `umask ${umask} && exec "$@"`;
  return spawn('/bin/sh', ['-c', script, 'sh', process.execPath, OFFPRINT, ...args], {
    ...ids,
    cwd: '/',
    env: uid === NOBODY ? ENVIRONMENT_OF_NOBODY : { PATH: process.env['PATH'] },
  });
}

async function run(user: User, args: readonly string[], code = 0) {
  const result = await resultOf(spawnWith(user, args));
  expect(result.code, result.stderr).toBe(code);
  return result;
}

function newFolder(uid?: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (uid !== undefined) chownSync(folder, uid, uid);
  return folder;
}

/** `644 out/snapshot.json`, for everything in a folder except the objects. */
function modesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/objects\/./.test(path))
    .map((path) => `${(lstatSync(join(folder, path)).mode & 0o777).toString(8)} ${path}`)
    .sort();
}

/** Files of the checkout with their modification times. */
function checkout(): string[] {
  return fastGlob
    .sync('{*,{cli,data,gateway,out}/**}', { cwd: ROOT, stats: true })
    .map(({ path, stats }) => `${path} ${stats?.mtimeMs}`)
    .sort();
}

const isPublic = (line: string): boolean => /^\d+ out(?:\/snapshot\.json|\/objects)?$/.test(line);
const isPrivate = (line: string): boolean => /^(?:600|700) /.test(line);

const USERS: readonly (readonly [string, User])[] = [
  ['umask 022', { umask: '022' }],
  CAN_BE_NOBODY
    ? ['umask 000, as another user', { umask: '000', uid: NOBODY }]
    : ['umask 000', { umask: '000' }],
];

describe.each(USERS)('with %s', (_, user) => {
  test('everything but the snapshot is private, whichever command creates it', async () => {
    const folder = newFolder(user.uid);
    const before = checkout();
    const [db, out] = [join(folder, 'new', 'blog.db'), join(folder, 'out')];
    const files = ['--db', db, '--out', out];

    const posts = newFolder(user.uid);
    writeFileSync(join(posts, 'a.md'), '---\ntitle: A\ndate: 2026-01-01\n---\nText.\n');
    await run(user, ['import', 'markdown', posts, '--db', db]);

    // While it serves, so that logs and shared memory of databases exist.
    const service = following(spawnWith(user, ['start', ...files, '--port', '0', '--cron', '0 0 1 1 *']));
    onTestFinished(async () => void (await service.end('SIGTERM')));
    const address = /http:\/\/[\d.]+:\d+(?=\D)/;
    await service.printed(address);
    const url = address.exec(service.output)?.[0] ?? '';
    expect((await send(url, { path: `${PREFIX}/posts` })).status).toBe(200);
    await run(user, ['keys', 'create', ...files, '--account', 'ada', '--name', 'n', '--json']);
    const held = new Database(db); // Keeps the log of the blog's database.
    held.pragma('journal_mode');
    await run(user, ['build', ...files, '--full']);
    await run(user, ['snapshots', 'prune', '--out', out]);
    await expect.poll(() => modesIn(folder).join('\n')).toContain('state/usage.db-shm'); // The last of its files.

    const modes = modesIn(folder);
    held.close();
    expect(modes.filter((line) => !isPublic(line) && !isPrivate(line))).toEqual([]);
    expect(modes.filter((line) => /-(?:wal|shm)$/.test(line)).length).toBeGreaterThan(2);
    const state = ['quota.db', 'usage.db', 'build.db', 'results.db', 'keys.lock', 'staging'];
    expect(modes.map((line) => line.slice(4))).toEqual(
      expect.arrayContaining(['new', 'new/blog.db', 'out/keys', ...state.map((name) => `out/state/${name}`)]),
    );

    // Another web server may serve the snapshot.
    const open = 0o644 & ~Number.parseInt(user.umask, 8);
    expect(modes).toContain(`${open.toString(8)} out/snapshot.json`);
    const objects = readdirSync(join(out, 'objects'), { recursive: true, withFileTypes: true });
    const ofObjects = objects
      .filter((entry) => entry.isFile())
      .map((entry) => lstatSync(join(entry.parentPath, entry.name)).mode & 0o777);
    expect(new Set(ofObjects)).toEqual(new Set([open]));

    expect(await service.end('SIGTERM'), service.output).toBe(0);
    expect(checkout()).toEqual(before);
  });
});

describe('an output that others can read', () => {
  const user = { umask: '022' };

  /** An output that was copied without its permissions. */
  async function wideOutput(): Promise<{ db: string; out: string; files: string[] }> {
    const folder = newFolder();
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const files = ['--db', db, '--out', out];
    shortBlog(db, 3, 1);
    await run(user, ['build', ...files]);
    for (const name of ['state', 'keys']) {
      chmodSync(join(out, name), 0o755);
      writeFileSync(join(out, name, 'left.json'), '');
      for (const file of readdirSync(join(out, name), { withFileTypes: true }))
        if (file.isFile()) chmodSync(join(out, name, file.name), 0o644);
    }
    return { db, out, files };
  }

  test.each(['status', 'build'])('is restricted by %s, with one message', async (command) => {
    const { out, files } = await wideOutput();
    const args = command === 'status' ? ['--out', out] : files;
    const { stderr } = await run(user, [command, ...args]);
    expect(stderr).toMatch(
      /note: other users of this machine could read \d+ files and folders .*Offprint has restricted access/,
    );
    expect(modesIn(out).filter((line) => /^\d+ (?:state|keys)/.test(line) && !isPrivate(line))).toEqual([]);
    expect((await run(user, [command, ...args])).stderr).not.toContain('note:');
  });

  test.skipIf(lacks('the user root', CAN_BE_NOBODY))('of another user only causes a note', async () => {
    const { out } = await wideOutput();
    chmodSync(join(out, '..'), 0o755);
    const { stderr } = await run({ ...user, uid: NOBODY }, ['status', '--out', out]);
    expect(stderr).toMatch(/note: .*its mode cannot be changed/);
  });

  test("without Offprint's files is not changed", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'keys'), { mode: 0o755 });
    await run(user, ['status', '--out', folder], 3);
    expect(modesIn(folder)).toEqual(['755 keys']);
  });

  test('with a database that others can read causes a warning', async () => {
    const { db, files } = await wideOutput();
    const create = ['keys', 'create', ...files, '--account', 'ada', '--name', 'n', '--json'];
    expect((await run(user, create)).stderr).not.toContain('blog.db');
    chmodSync(db, 0o664);
    expect((await run(user, create)).stderr).toMatch(/note: other users .* can change .*blog\.db.*chmod 600/);
    chmodSync(db, 0o644);
    expect((await run(user, create)).stderr).toMatch(/note: other users .* can read .*blog\.db.*chmod 600/);
    expect(lstatSync(db).mode & 0o777).toBe(0o644);
  });
});
