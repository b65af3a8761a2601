/**
 * A backup is one private file with a consistent state of the database, or no file; a restore is whole, or changes nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPointer } from '../../../build/output/pointer-file.ts';
import { openForWriting } from '../../../data/database.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { type Environment, resultOf, spawnOffprint } from '../../service/command.ts';
import { changesBy, dyingBefore } from '../../service/dying.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(120);
  await blog.createKey({ account: 'ada', name: 'first' });
});

/** Options with the files of a blog. */
const filesIn = (place: string): string[] =>
  ['db blog.db', 'out out', 'config offprint.json'].flatMap((option) => {
    const [name, file] = option.split(' ');
    return [`--${name}`, join(place, file ?? '')];
  });

const backup = (file: string, place = blog.folder) => offprintInProcess(['backup', file, ...filesIn(place)]);
const restore = (file: string, place: string, ...flags: readonly string[]) =>
  offprintInProcess(['restore', file, ...filesIn(place), ...flags]);

async function backedUp(place = blog.folder): Promise<string> {
  const file = join(temporaryFolder(), 'backup.db');
  const { code, stderr } = await backup(file, place);
  expect(code, stderr).toBe(0);
  return file;
}

function valueIn(path: string, sql: string): unknown {
  const db = new Database(path, { readonly: true });
  const value = db.prepare(sql).pluck().get();
  db.close();
  return value;
}

test('is restored whole in another place, and what both commands print can be pasted', async () => {
  const file = join(temporaryFolder(), 'backup.db');
  const made = await backup(file);
  expect(made.stderr).toBe('');
  const place = join(temporaryFolder(), 'my blog');
  const restored = await restore(file, place);
  expect(restored, restored.stderr).toMatchObject({ code: 0, stderr: '' });
  for (const path of [file, join(place, 'blog.db')]) expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const [{ stdout }, of] of [[made, blog.folder] as const, [restored, place] as const]) {
    const [, ...named] = /settings \((.*)\), today's counts \((.*)\), usage \((.*)\)\./.exec(stdout) ?? [];
    const echoed = spawnSync('sh', ['-c', `printf '%s\\n' ${named.join(' ')}`], { encoding: 'utf8' }).stdout;
    expect(
      echoed
        .split('\n')
        .filter(Boolean)
        .map((path) => path.replace(/\*$/, '')),
    ).toEqual(['offprint.json', 'out/state/quota.db', 'out/state/usage.db'].map((name) => join(of, name)));
  }
  copyFileSync(join(blog.folder, 'offprint.json'), join(place, 'offprint.json'));
  const [, build = ''] = /Publish it again: (.*), or /.exec(restored.stdout) ?? [];
  expect(spawnSync('sh', ['-c', build], { cwd: PROJECT, encoding: 'utf8' }).status).toBe(0);
  // The same database gives the same snapshot.
  expect(readPointer(join(place, 'out'))?.snapshot).toBe(readPointer(blog.out)?.snapshot);
  expect(readdirSync(join(place, 'out/keys'))).toEqual(readdirSync(join(blog.out, 'keys')));
});

/** Sets the titles of all articles to 1, 2, 3 and so on, in a transaction each. */
const WRITER = `
  const db = new (require('better-sqlite3'))(process.argv[1], { timeout: 60000 });
  db.pragma('wal_autocheckpoint = 40');
  const set = db.prepare('UPDATE posts SET title = ?');
  let count = 0;
  setInterval(() => { set.run(String(++count)); console.log(count); }, 1);`;

test('has one moment of a database to which commands write, while it is built', async () => {
  const place = temporaryFolder();
  for (const name of ['blog.db', 'offprint.json']) copyFileSync(join(blog.folder, name), join(place, name));
  const writer = spawn(process.execPath, ['-e', WRITER, join(place, 'blog.db')], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = 0;
  createInterface(writer.stdout).on('line', (line) => (written = Number(line)));
  await expect.poll(() => written).toBeGreaterThan(0);
  const built = resultOf(spawnOffprint(['build', ...filesIn(place)]));
  for (let i = 0; i < 10; i++) {
    const before = written;
    const file = await backedUp(place);
    expect(valueIn(file, 'SELECT count(DISTINCT title) FROM posts')).toBe(1);
    expect(valueIn(file, 'SELECT CAST(title AS INTEGER) FROM posts')).toBeGreaterThanOrEqual(before);
  }
  writer.kill('SIGKILL');
  await once(writer, 'close');
  expect((await built).code).toBe(0);
});

test('is whole or does not exist if it is killed, and the next one removes what is left', async () => {
  const started = (file: string, environment?: Environment) =>
    spawnOffprint(['backup', file, ...filesIn(blog.folder)], undefined, environment);
  const counted = join(temporaryFolder(), 'counted.db');
  const changes = changesBy((await resultOf(started(counted, dyingBefore(Infinity)))).stderr);
  let left = 0;
  for (let i = 0; i <= changes; i++) {
    const folder = temporaryFolder();
    const killed = join(folder, 'killed.db');
    // Before each change of the folder, and while SQLite writes.
    const child = started(killed, i === 0 ? {} : dyingBefore(i));
    const ended = resultOf(child);
    if (i === 0) {
      await expect
        .poll(() => child.exitCode !== null || readdirSync(folder).length > 0, { interval: 1 })
        .toBe(true);
      child.kill('SIGKILL');
    }
    const { code } = await ended;
    if (i > 0) expect(code, `killed before change ${i} of ${changes}`).toBeNull();
    const names = readdirSync(folder);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    if (names.some((name) => name.includes('.backup-'))) left += 1;
    if (existsSync(killed)) expect((await restore(killed, temporaryFolder())).code).toBe(0);
    await backup(join(folder, 'next.db'));
    expect(readdirSync(folder).filter((name) => name !== 'killed.db')).toEqual(['next.db']);
  }
  expect(left).toBeGreaterThan(0); // The last change gives the copy its name.
});

test.each([
  ['the database', 'blog.db'],
  ['a folder', 'out'],
  ['a link', 'link'],
  ['a file in a folder that does not exist', 'nowhere/blog.db'],
])('replaces nothing: %s', async (_, name) => {
  const place = temporaryFolder();
  copyFileSync(blog.db, join(place, 'blog.db'));
  mkdirSync(join(place, 'out'));
  symlinkSync('nothing', join(place, 'link'));
  const before = readdirSync(place);
  const { code, stderr } = await backup(join(place, name), place);
  expect([code, stderr.trim()]).toEqual([
    1,
    expect.stringMatching(/^error: No backup was made: .*Choose another file\.$/),
  ]);
  expect(stderr).toContain(join(place, name));
  expect(readdirSync(place)).toEqual(before);
  expect(readFileSync(join(place, 'blog.db')).equals(readFileSync(blog.db))).toBe(true);
});

describe('restore', () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ['a file that does not exist', () => undefined, /there is no such file/],
    ['a folder', (file) => mkdirSync(file), /there is no such file/],
    ['a text', (file) => writeFileSync(file, 'a text that is not a database'), /is not a SQLite database/],
    ['an empty file', (file) => writeFileSync(file, ''), /not Offprint's/],
    [
      'a part',
      (file) => (copyFileSync(blog.db, file), truncateSync(file, statSync(blog.db).size / 2)),
      /malformed/,
    ],
    ['another database', (file) => new Database(file).exec('CREATE TABLE t (a)').close(), /not Offprint's/],
    [
      'one of an earlier schema',
      (file) => databaseAt(file, 'PRAGMA user_version = 6'),
      /has schema 6, .* commit [0-9a-f]{8}/,
    ],
  ])('refuses %s', async (_, make, says) => {
    const [file, place] = [join(temporaryFolder(), 'made.db'), temporaryFolder()];
    make(file);
    const { code, stderr } = await restore(file, place, '--force');
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(stderr).toMatch(/^error: .* cannot be restored: .*Nothing was changed\.\n$/);
    expect(readdirSync(place)).toEqual([]);
  });

  test('refuses to replace a database without --force, and while a service runs', async () => {
    const file = await backedUp();
    const before = readFileSync(blog.db);
    expect((await restore(file, blog.folder)).stderr).toMatch(
      /blog\.db exists already\. Nothing was changed\..*--force/,
    );
    const server = await blog.serve();
    expect((await restore(file, blog.folder, '--force')).stderr).toContain(
      `already serving from ${blog.out}, on ${server.url}`,
    );
    await server.end('SIGTERM');
    expect(readFileSync(blog.db).equals(before)).toBe(true);
    expect(readdirSync(blog.folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  test('replaces a database and the log that a killed command left', async () => {
    const place = temporaryFolder();
    const db = join(place, 'blog.db');
    copyFileSync(blog.db, db);
    const writer = spawn(process.execPath, ['-e', WRITER.replace('40', '0'), db], { cwd: PROJECT });
    await once(writer.stdout, 'data');
    writer.kill('SIGKILL');
    await once(writer, 'close');
    expect(existsSync(`${db}-wal`)).toBe(true);
    const { code, stderr } = await restore(await backedUp(), place, '--force');
    expect(code, stderr).toBe(0);
    expect(readdirSync(place)).toEqual(['blog.db']);
    const titles = 'SELECT group_concat(title) FROM posts';
    expect(valueIn(db, titles)).toBe(valueIn(blog.db, titles));
  });

  test('does not follow a link in the place of the file that it makes', async () => {
    const [place, theirs] = [temporaryFolder(), join(temporaryFolder(), 'theirs')];
    writeFileSync(theirs, 'theirs');
    symlinkSync(theirs, join(place, 'blog.db.restoring'));
    expect((await restore(await backedUp(), place)).code).toBe(0);
    expect(readFileSync(theirs, 'utf8')).toBe('theirs');
    expect(lstatSync(join(place, 'blog.db')).isFile()).toBe(true);
  });
});

/** A database of Offprint's schema after some SQL. */
function databaseAt(path: string, sql: string): void {
  openForWriting(path).close();
  const db = new Database(path);
  db.unsafeMode(true);
  db.exec(sql);
  db.pragma('journal_mode = DELETE');
  db.close();
}

describe('a database with definitions of others', () => {
  const UNDO = `CREATE TRIGGER undo AFTER UPDATE OF revoked_at ON api_keys
    BEGIN UPDATE api_keys SET revoked_at = NULL WHERE id = NEW.id; END`;
  /** SQL in a string looks like a comment. */
  const OURS = "'revision is set by triggers alone'";
  const HIDDEN = "'revision is set by --' || 'x');\nSELECT ('\n triggers alone'";
  /** Edits a definition in place. */
  const edited = (name: string, from: string, to: string) => {
    const [before, after] = [from, to].map(
      (text) => `'${text.replaceAll("'", "''").replace('\0', "' || char(0) || '")}'`,
    );
    return `PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ${before}, ${after}) WHERE name = '${name}'`;
  };

  test.each([
    ['undo', UNDO],
    ['undo', UNDO.replace('api_keys', '"API_KEYS"')],
    ['silent', 'CREATE UNIQUE INDEX silent ON withdrawals (length(slug) > 0)'],
    ['by_title', 'CREATE INDEX by_title ON posts (title)'],
    ['mine', 'CREATE TABLE mine (post INTEGER REFERENCES Posts (id) ON DELETE CASCADE)'],
    ['api_keys', 'ALTER TABLE api_keys ADD COLUMN free INTEGER GENERATED ALWAYS AS (1)'],
    ['api_keys', edited('api_keys', 'UNIQUE', 'UNIQUE ON CONFLICT IGNORE')],
    ['accounts', edited('accounts', 'STRICT', '-- \0\n STRICT')],
    ['withdrawals', edited('withdrawals', 'slug  ', 'slug\u00a0 ')],
    ['posts_revision', edited('posts_revision', OURS, HIDDEN)],
    ['posts_updated', 'DROP TRIGGER posts_updated'],
    ['posts', "INSERT INTO sqlite_sequence VALUES ('posts', 9223372036854775807)"],
    ['revision', 'DELETE FROM revision'],
    ['revision', 'UPDATE revision SET content = 9223372036854775807'],
    ['imports', 'DROP TABLE imports; CREATE VIEW imports AS SELECT 1'],
  ])('is neither backed up nor restored: %s', async (object, sql) => {
    const place = temporaryFolder();
    const db = join(place, 'blog.db');
    databaseAt(db, sql);
    const refused = [
      await backup(join(place, 'made.db'), place),
      await restore(db, join(place, 'elsewhere')),
    ];
    for (const { code, stderr } of refused) {
      expect(code).toBe(1);
      expect(stderr).toContain(`blog.db was changed by another program: "${object}"`);
    }
    expect(refused[1]?.stderr).toMatch(/cannot be restored: .*Nothing was changed\./);
    expect(readdirSync(place).filter((name) => name !== 'elsewhere')).toEqual(['blog.db']);
    expect(readdirSync(join(place, 'elsewhere'))).toEqual([]);
  });

  test('is backed up and restored if they concern only tables of others', async () => {
    const place = temporaryFolder();
    databaseAt(
      join(place, 'blog.db'),
      `CREATE TABLE theirs (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
       CREATE TABLE more (their_id INTEGER REFERENCES theirs (id) ON DELETE CASCADE);
       CREATE UNIQUE INDEX by_title ON theirs (length(title));
       CREATE VIEW shown AS SELECT * FROM posts JOIN theirs USING (title);
       CREATE TRIGGER copied AFTER INSERT ON theirs BEGIN
         INSERT INTO posts (slug, title) VALUES (NEW.title, NEW.title);
       END;
       CREATE TRIGGER kept INSTEAD OF DELETE ON shown BEGIN SELECT 1; END`,
    );
    const { code, stderr } = await restore(await backedUp(place), temporaryFolder());
    expect(code, stderr).toBe(0);
  });
});

test('after a restore elsewhere, a build names what its import leaves out', async () => {
  const [site, before, after] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const post = '---\ntitle: A\ndate: 2026-01-01\n---\nText';
  writeFileSync(join(site, 'a.md'), post);
  writeFileSync(join(site, 'b.md'), post.replace('2026-01-01', 'some day'));
  for (const place of [before, after])
    writeFileSync(
      join(place, 'offprint.json'),
      JSON.stringify({ import: [{ format: 'markdown', path: site }] }),
    );
  expect((await offprintInProcess(['build', ...filesIn(before)])).stderr).toMatch(/left out .*b\.md/);
  expect((await restore(await backedUp(before), after)).code).toBe(0);
  expect((await offprintInProcess(['build', ...filesIn(after)])).stderr).toMatch(/left out .*b\.md/);
});
