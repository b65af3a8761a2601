/**
 * A wrong path in an option is an error. Nothing is created there, emptied, or replaced by the sample.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyFolder } from '../../build/copied-folder.ts';
import { filesIn, pointerOf } from '../../build/output.ts';
import { editing, publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { expectOneLine } from '../../build/untouched.ts';
import { resultOf, spawnOffprint } from '../../service/command.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { createKey } from '../../service/key-commands.ts';

let folder: string;
let db: string;
let out: string;
const path = (name: string) => join(folder, name);

/** One published blog with a key, which no test may change. */
beforeAll(async () => {
  folder = folderUntil(afterAll);
  process.chdir(folder); // Files that a command creates in its working directory would be noticed.
  [db, out] = [path('blog.db'), path('out')];
  shortBlog(db, 20, 1);
  editing(db, (open) => open.exec("UPDATE site SET url = 'https://real.example'"));
  await publish(db, out);
  await createKey(['--db', db, '--out', out], { account: 'ada', name: 'site' });
});

const run = (...args: readonly string[]) => offprintInProcess(args);

/** All files of a folder, with their content. */
function contentOf(root: string): Map<string, string> {
  return new Map(filesIn(root).map((file) => [file, readFileSync(join(root, file), 'latin1')]));
}

/** The content of the folder, without SQLite's own files. */
const names = () => readdirSync(folder).filter((name) => !/\.db-\w+$/.test(name));

/** Refused in one line; the output and its parent folder are unchanged. */
async function expectRefused(args: readonly string[], says: string): Promise<void> {
  const published = () => new Map([...contentOf(out)].filter(([file]) => !file.startsWith('state/')));
  const [before, beside] = [published(), names()];
  expect(expectOneLine(await run(...args))).toContain(says);
  expect(published()).toEqual(before);
  expect(names()).toEqual(beside);
}

describe('a --db that does not exist', () => {
  const start = (...args: readonly string[]) => ['start', '--port', '0', ...args];

  test('is named by build and start, which create nothing', async () => {
    mkdirSync(path('empty'));
    for (const to of [out, path('new'), path('empty')])
      for (const command of [['build'], start()])
        await expectRefused([...command, '--db', path('typo.db'), '--out', to], 'There is no database at');
    expect(readdirSync(path('empty'))).toEqual([]);
    rmdirSync(path('empty'));
  });

  test('is named too if it is OFFPRINT_DB', async () => {
    const env = { OFFPRINT_DB: path('typo.db') };
    const outcome = await offprintInProcess(start('--out', path('new')), env);
    expect(expectOneLine(outcome)).toContain(`There is no database at ${path('typo.db')}`);
  });
});

test('start refuses an output of another blog before it writes anything', async () => {
  const other = path('other.db');
  shortBlog(other, 20, 2);
  editing(other, (open) => open.exec("UPDATE site SET url = 'https://other.example'"));
  const before = contentOf(out);
  await expectRefused(
    ['start', '--port', '0', '--db', other, '--out', out],
    'serves the blog "real.example"',
  );
  expect(contentOf(out)).toEqual(before);
});

describe('a database of other keys', () => {
  test('does not remove the keys of the output', async () => {
    const other = join(temporaryFolder(), 'blog.db');
    copyFileSync(db, other);
    editing(other, (open) => open.exec('DELETE FROM api_keys; DELETE FROM accounts'));
    const args = ['--db', other, '--out', out];
    const says = 'has 1 key, but this database has none of them';
    await expectRefused(['build', ...args], says);
    await expectRefused(['start', '--port', '0', ...args], says);
    await expectRefused(['keys', 'create', '--json', '--account', 'bob', '--name', 'site', ...args], says);
  });

  test('adds no key to an output of another blog, with keys or without', async () => {
    const bare = temporaryFolder();
    shortBlog(join(bare, 'other.db'), 3, 2);
    await publish(join(bare, 'other.db'), join(bare, 'out'));
    const create = ['keys', 'create', '--json', '--account', 'bob', '--name', 'site'];
    for (const into of [out, join(bare, 'out')]) {
      await expectRefused([...create, '--out', into, '--db', path('typo.db')], 'There is no database at');
    }
    await expectRefused([...create, '--out', join(bare, 'out'), '--db', db], 'but this is "real.example"');
    expect((await run(...create, '--out', join(bare, 'out'), '--db', join(bare, 'other.db'))).code).toBe(0);
  });

  test('that does not exist is created by keys create', async () => {
    const made = temporaryFolder();
    const files = ['--db', join(made, 'new', 'blog.db'), '--out', join(made, 'out')];
    await createKey(files, { account: 'ada', name: 'site' });
    expect((await run('keys', 'list', ...files.slice(0, 2))).stdout).toContain('ada');
  });
});

test('an --out that is a file is refused', async () => {
  for (const command of ['usage', 'status', 'serve', 'build']) {
    const { code, stderr } = await run(command, '--out', db);
    expect([code, stderr]).toEqual([2, `error: --out must be a folder, but ${db} is a file.\n`]);
  }
});

test('a --db in a file is refused', async () => {
  const { code, stderr } = await run('start', '--port', '0', '--db', join(db, 'blog.db'));
  expect([code, stderr]).toEqual([2, `error: --db must be in a folder, but ${db} is a file.\n`]);
});

test('a --db that is not a database is reported', async () => {
  writeFileSync(path('notes.md'), 'Some notes, and no database at all. '.repeat(40));
  await expectRefused(['build', '--db', path('notes.md'), '--out', out], 'notes.md is not a SQLite database');
  await expectRefused(['build', '--db', folder, '--out', out], 'Check that it is a file');
});

describe('an --out that does not exist is not created by', () => {
  test.each([
    ['serve', '--port', '0'],
    ['snapshots', 'list'],
    ['snapshots', 'rollback', 'a'],
    ['snapshots', 'release'],
    ['snapshots', 'verify'],
    ['snapshots', 'prune'],
    ['usage'],
  ])('%s %s', async (...args) => {
    await expectRefused([...args, '--out', path('typo')], 'Nothing is published in');
  });
});

test('a start creates no sample if something is published', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'out'));
  copyFolder(out, join(cwd, 'out'));
  const outcome = await resultOf(spawnOffprint(['start', '--port', '0'], cwd));
  expect(expectOneLine(outcome)).toContain('There is no database at');
  expect(existsSync(join(cwd, 'data/blog.db'))).toBe(false);
  expect(pointerOf(join(cwd, 'out'))).toEqual(pointerOf(out));
});
