import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offprintInProcess } from '../../service/in-process.ts';
import type { CommandResult } from '../../service/command.ts';
import { serveOutput, type ServedOutput } from '../gateway-client.ts';
import { pointerOf } from '../output.ts';
import { CONFIG, editing, shortBlog } from '../publishing.ts';
import { folderUntil } from '../temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../tmpfs.ts';
import { expectOneLine, expectUntouched, pointerFile } from '../untouched.ts';
import { lacks } from '../../lacks.ts';

const POSTS = 60;

/** A published blog that every test tries to damage, with a gateway that serves it throughout. */
const folder = folderUntil(afterAll);
const db = join(folder, 'blog.db');
const out = join(folder, 'out');
const config = join(folder, 'offprint.json');
let server: ServedOutput;
let published: ReturnType<typeof pointerFile>;

const build = (args: readonly string[]): Promise<CommandResult> =>
  offprintInProcess(['build', '--config', config, ...args]);

beforeAll(async () => {
  writeFileSync(config, CONFIG);
  shortBlog(db, POSTS, 11);
  editing(db, (blog) => {
    blog.exec(
      "UPDATE posts SET status = 'published', published_at = coalesce(published_at, '2020-01-01T00:00:00Z')",
    );
    blog.pragma('wal_checkpoint(TRUNCATE)');
  });
  const { code, stderr } = await build(['--db', db, '--out', out]);
  if (code !== 0) throw new Error(stderr);
  server = await serveOutput(out);
  published = pointerFile(out);
});
afterAll(() => server.end());

/** The published snapshot is unchanged, and the gateway serves all of it. */
async function expectServedComplete(): Promise<void> {
  expectUntouched(out, published);
  const pages = await Promise.all([1, 2].map((page) => server.list(`per_page=50&page=${page}`)));
  const slugs = pages.flatMap(({ items }) => items.map(({ slug }) => slug));
  expect(slugs).toHaveLength(POSTS);
  const slug = slugs.at(-1) ?? '';
  expect((await server.article(slug)).content).toContain('<p>Body of post');
}

/** A copy of the blog, to be damaged. */
function copyOfBlog(name: string): string {
  const path = join(folder, name);
  copyFileSync(db, path);
  return path;
}

describe('a database that cannot be published', () => {
  const cases: readonly (readonly [string, string, (path: string) => void])[] = [
    ['is missing', 'There is no database at', () => undefined],
    ['is a folder', 'cannot be read as a database', (path) => mkdirSync(path)],
    ['is an empty file', "not Offprint's", (path) => writeFileSync(path, '')],
    [
      'is not a SQLite file',
      'is not a SQLite database',
      (path) => writeFileSync(path, 'slug,title\n'.repeat(1000)),
    ],
    [
      'is cut off',
      'cannot be read as a database',
      (path) => writeFileSync(path, readFileSync(db).subarray(0, 9000)),
    ],
    [
      'is garbage in the middle',
      'cannot be read as a database',
      (path) => {
        copyFileSync(db, path);
        editing(path, (blog) => {
          blog.exec("UPDATE posts SET title = title || '!'");
          blog.pragma('wal_checkpoint(TRUNCATE)');
        });
        writeFileSync(path, withDamagedPages(readFileSync(path)));
      },
    ],
    ['is that of another program', "not Offprint's", (path) => makeDatabase(path, 1, 1)],
    ['is of a later version', 'created by a newer Offprint', (path) => makeDatabase(path, 1330004080, 99)],
    ['has no tables', '', (path) => makeDatabase(path, 1330004080, 1)],
  ];

  test.each(cases)('%s', async (name, message, make) => {
    const path = join(folder, `${name}.db`);
    make(path);
    const line = expectOneLine(await build(['--db', path, '--out', out]));
    expect(line).toContain(message);
    expect(line).toContain(path);
    await expectServedComplete();
  });
});

describe('the guard against an emptied database', () => {
  test('stops at less than half of the posts, and explains --force', async () => {
    const path = copyOfBlog('halved.db');
    editing(path, (blog) => blog.exec('DELETE FROM posts WHERE id > 29'));
    const line = expectOneLine(await build(['--db', path, '--out', out]));
    expect(line).toContain('--force');
    expect(line).toMatch(/\b29 of 60\b/);
    await expectServedComplete();
  });

  test('counts posts that cannot be published as missing', async () => {
    const path = copyOfBlog('no-author.db');
    editing(path, (blog) => {
      blog.pragma('foreign_keys = OFF');
      blog.exec('DELETE FROM authors');
    });
    expect(expectOneLine(await build(['--db', path, '--out', out]))).toContain('--force');
    await expectServedComplete();
  });

  test('accepts a loss of half of the posts, and with --force of all', async () => {
    const path = copyOfBlog('half.db');
    const elsewhere = join(folder, 'half');
    expect((await build(['--db', path, '--out', elsewhere])).code).toBe(0);
    editing(path, (blog) => blog.exec('DELETE FROM posts WHERE id > 30'));
    expect((await build(['--db', path, '--out', elsewhere])).code).toBe(0);
    expect(pointerOf(elsewhere).posts).toBe(30);
    editing(path, (blog) => blog.exec('DELETE FROM posts'));
    expectOneLine(await build(['--db', path, '--out', elsewhere]));
    expect(pointerOf(elsewhere).posts).toBe(30);
    expect((await build(['--db', path, '--out', elsewhere, '--force'])).code).toBe(0);
    expect(pointerOf(elsewhere).posts).toBe(0);
  });
});

describe('an output folder that cannot be written', () => {
  test('because it is a file', async () => {
    const path = join(folder, 'a-file');
    writeFileSync(path, 'mine');
    const { code, stderr } = await build(['--db', db, '--out', path]);
    expect([code, stderr]).toEqual([2, `error: --out must be a folder, but ${path} is a file.\n`]);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expectOneLine(await build(['--db', db, '--out', join(path, 'deeper')]));
  });

  test.skipIf(lacks('another user than root', process.getuid?.() !== 0))(
    'because it belongs to another user',
    async () => {
      const path = join(folder, 'closed');
      mkdirSync(path, { mode: 0o555 });
      expect(expectOneLine(await build(['--db', db, '--out', path]))).toContain(path);
      chmodSync(path, 0o755);
    },
  );

  test.skipIf(lacks('permission to mount', CAN_MOUNT))(
    'because its disk is read-only (skipped if mounting is not allowed)',
    async () => {
      const disk = smallDisk(16 * 2 ** 20);
      const path = join(disk.folder, 'out');
      const copy = copyOfBlog('read-only.db');
      expect((await build(['--db', copy, '--out', path])).code).toBe(0);
      const before = pointerFile(path);
      editing(copy, (blog) => blog.exec("UPDATE posts SET title = title || '!'"));
      disk.setReadOnly(true);
      expect(expectOneLine(await build(['--db', copy, '--out', path]))).toMatch(/read-only/);
      expectUntouched(path, before);
      expectOneLine(await build(['--db', copy, '--out', join(disk.folder, 'new')]));
      disk.setReadOnly(false);
      expect((await build(['--db', copy, '--out', path])).code).toBe(0);
    },
  );
});

/** Overwrites the middle third of the pages with invalid bytes. */
function withDamagedPages(bytes: Buffer): Buffer {
  bytes.fill(0xa5, Math.floor(bytes.length / 12288) * 4096, Math.floor(bytes.length / 6144) * 4096);
  return bytes;
}

function makeDatabase(path: string, applicationId: number, version: number): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const other = new Database(path);
  other.pragma(`application_id = ${applicationId}`);
  other.pragma(`user_version = ${version}`);
  other.exec('CREATE TABLE notes (text TEXT)');
  other.close();
}
