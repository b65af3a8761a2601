/**
 * `restore` of a backup that others wrote changes nothing outside its folder, unless the owner trusts it.
 */
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { untrustedIn } from '../../cli/backup/trust.ts';
import { writeBackup } from '../../cli/backup/write.ts';
import { parseConfig } from '../../cli/settings.ts';
import { USAGE_SCHEMA } from '../../cli/usage/usage-log.ts';
import { openForWriting } from '../../data/database.ts';
import { COUNTS_SCHEMA } from '../../gateway/node/sqlite-quota-counter.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { lacks } from '../lacks.ts';
import { offprint } from '../service/command.ts';
import { HAS_SCRIPT, onTerminal } from '../service/on-terminal.ts';

/** An empty folder to restore in, and next to it a folder that no backup may change. */
function places() {
  const outer = temporaryFolder();
  const [place, outside] = [join(outer, 'place'), join(outer, 'outside')];
  for (const folder of [place, outside]) mkdirSync(folder);
  return { outer, place, outside };
}

/** Makes a backup of a configuration and databases, and returns `restore` of it. */
async function backupOf(
  { outer, place }: ReturnType<typeof places>,
  config: object,
  ...databases: readonly (readonly [name: string, path: string])[]
) {
  const [json, file] = [join(outer, 'made.json'), join(outer, 'made.zip')];
  writeFileSync(json, JSON.stringify(config));
  const parts = [
    { name: 'offprint.json', path: json, kind: 'configuration' },
    ...databases.map(([name, path]) => ({ name, path, kind: 'configuration' }) as const), // Copied as it is.
  ] as const;
  await writeBackup(file, parts, new Date());
  return (...flags: readonly string[]) => offprint(['restore', file, ...flags], place);
}

const PROGRAMS = {
  import: [{ format: 'hugo', path: 'site', engine: '/tmp/program' }],
  webhooks: ['https://hooks.example/x'],
};

describe('without --trust', () => {
  test('no program or address is put in force', async () => {
    const where = places();
    const restore = await backupOf(where, PROGRAMS);
    const { code, stderr } = await restore();
    expect(code).toBe(1);
    expect(stderr).toContain('import.0.engine "/tmp/program"');
    expect(stderr).toContain('webhooks.0 "https://hooks.example/x"');
    expect(readdirSync(where.place)).toEqual([]);
  });

  test('no folder that is a link to another place is written to, unless an option names it', async () => {
    const where = places();
    const { place, outside } = where;
    symlinkSync(outside, join(place, 'out'));
    const restore = await backupOf(where, {});
    expect((await restore()).code).toBe(1);
    expect(readdirSync(outside)).toEqual([]);
    expect((await restore('--out', 'out')).code).toBe(0);
  });

  test('a link in the place of a file that is being restored is not followed', async () => {
    const where = places();
    const target = join(where.outside, 'theirs');
    writeFileSync(target, 'theirs');
    symlinkSync(target, join(where.place, 'offprint.json.restoring'));
    const restore = await backupOf(where, {});
    const { code, stderr } = await restore();
    expect(code, stderr).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    expect(lstatSync(join(where.place, 'offprint.json')).isFile()).toBe(true);
  });

  test('a configuration that names only places in the folder is restored', async () => {
    const where = places();
    const imports = [{ format: 'sql', path: 'theirs.db', views: 'sql/views.sql' }];
    const restore = await backupOf(where, { import: imports, site: { url: 'https://blog.example' } });
    const { code, stderr } = await restore();
    expect(code, stderr).toBe(0);
    expect(JSON.parse(readFileSync(join(where.place, 'offprint.json'), 'utf8'))).toMatchObject({
      import: imports,
    });
  });
});

test('--check lists what needs trust, and --trust puts it in force', async () => {
  const where = places();
  const restore = await backupOf(where, PROGRAMS);
  const { code, stdout } = await restore('--check');
  expect(code).toBe(0);
  expect(stdout).toContain('import.0.engine "/tmp/program": a program');
  expect(stdout).toContain('import.0.format "hugo": runs the site\'s code');
  const listed: unknown = JSON.parse((await restore('--check', '--json')).stdout);
  expect(listed).toMatchObject({
    needs_trust: [
      { setting: 'import.0.format', value: 'hugo', why: "runs the site's code" },
      { setting: 'import.0.engine', value: '/tmp/program', why: 'a program' },
      { setting: 'webhooks.0', value: 'https://hooks.example/x', why: 'an address' },
    ],
  });
  const restored = await restore('--trust');
  expect(restored.code, restored.stderr).toBe(0);
  expect(existsSync(join(where.place, 'offprint.json'))).toBe(true);
});

test('places need no trust below the folder, and where an option names them', () => {
  const { place, outside } = places();
  symlinkSync(join(outside, 'nothing'), join(place, 'broken'));
  const listed = (config: object, flags: object = {}) =>
    untrustedIn(
      { db: join(place, 'blog.db'), out: join(place, 'out'), config: 'offprint.json', ...flags },
      parseConfig(join(place, 'offprint.json'), JSON.stringify(config)),
      place,
    ).map(({ setting, why }) => [setting, why]);
  const outsideOf = `outside ${place}`;

  const imports = ['.', 'posts', '../outside', 'broken/x', '../place-2', 'HTTPS://blog.example'];
  expect(listed({ import: imports.map((path) => ({ format: 'markdown', path })) })).toEqual([
    ['import.2.path', outsideOf],
    ['import.3.path', 'a broken link'],
    ['import.4.path', outsideOf],
    ['import.5.path', 'an address'],
  ]);
  const sql = { format: 'sql', path: 'theirs.db', views: '../outside/views' };
  expect(listed({ import: [sql] })).toEqual([['import.0.views', outsideOf]]);
  expect(listed({}, { keys: join(outside, 'keys.db'), out: join(outside, 'out') })).toEqual([]);
});

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

  /** A database of Offprint's schema after some SQL. */
  function databaseWith(folder: string, sql: string): string {
    const path = join(folder, 'made.db');
    openForWriting(path).close();
    const db = new Database(path);
    db.unsafeMode(true);
    db.exec(sql);
    db.pragma('journal_mode = DELETE');
    db.close();
    return path;
  }

  /** A database of one text of SQL. */
  function plainDatabase(folder: string, sql: string): string {
    const path = join(folder, 'made.db');
    const db = new Database(path);
    db.exec(sql);
    db.close();
    return path;
  }

  const SILENT = 'CREATE UNIQUE INDEX silent ON withdrawals (length(slug) > 0)';
  const ON_OURS = `CREATE TABLE mine (post INTEGER REFERENCES Posts (id) ON DELETE CASCADE)`;

  test.each([
    ['blog.db', 'undo', UNDO],
    ['blog.db', 'undo', UNDO.replace('api_keys', '"API_KEYS"')],
    ['blog.db', 'silent', SILENT],
    ['blog.db', 'by_title', 'CREATE INDEX by_title ON posts (title)'],
    ['blog.db', 'mine', ON_OURS],
    ['blog.db', 'api_keys', edited('api_keys', 'UNIQUE', 'UNIQUE ON CONFLICT IGNORE')],
    ['blog.db', 'accounts', edited('accounts', 'STRICT', '-- \0\n STRICT')],
    ['blog.db', 'withdrawals', edited('withdrawals', 'slug  ', 'slug\u00a0 ')],
    ['blog.db', 'posts_revision', edited('posts_revision', OURS, HIDDEN)],
    ['blog.db', 'posts_updated', 'DROP TRIGGER posts_updated'],
    ['blog.db', 'imports', 'DROP TABLE imports; CREATE VIEW imports AS SELECT 1'],
    ['keys.db', 'undo', UNDO],
    ['counts.db', 'one', `${COUNTS_SCHEMA}; CREATE UNIQUE INDEX one ON tally (day)`],
    [
      'usage.db',
      'free',
      `${USAGE_SCHEMA}; CREATE TRIGGER free AFTER INSERT ON usage BEGIN DELETE FROM usage; END`,
    ],
  ])('is refused: %s, %s', async (name, object, sql) => {
    const where = places();
    const isBlog = name === 'blog.db' || name === 'keys.db';
    const path = isBlog ? databaseWith(where.outer, sql) : plainDatabase(where.outer, sql);
    const restore = await backupOf(where, {}, [name, path]);
    const flags = name === 'keys.db' ? ['--keys', 'keys.db'] : [];
    for (const more of [[], ['--trust'], ['--check']]) {
      const { code, stderr } = await restore(...flags, ...more);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/cannot be restored: .*Nothing was changed\./);
      expect(stderr).toContain(`${name} is not as Offprint made it: "${object}"`);
      expect(['data', 'out'].filter((folder) => existsSync(join(where.place, folder)))).toEqual([]);
    }
  });

  test('is restored if they concern only tables of others', async () => {
    const where = places();
    const more = `CREATE TABLE theirs (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE more (their_id INTEGER REFERENCES theirs (id) ON DELETE CASCADE);
      CREATE UNIQUE INDEX by_title ON theirs (length(title));
      CREATE VIEW shown AS SELECT * FROM posts JOIN theirs USING (title);
      CREATE TRIGGER copied AFTER INSERT ON theirs BEGIN
        INSERT INTO posts (slug, title) VALUES (NEW.title, NEW.title);
      END;
      CREATE TRIGGER kept INSTEAD OF DELETE ON shown BEGIN SELECT 1; END`;
    const { code, stderr } = await (
      await backupOf(where, {}, ['blog.db', databaseWith(where.outer, more)])
    )();
    expect(code, stderr).toBe(0);
  });

  test('is not backed up: it could not be restored', async () => {
    const { outer } = places();
    const part = { name: 'blog.db', path: databaseWith(outer, UNDO), kind: 'ours' } as const;
    const file = join(outer, 'made.zip');
    await expect(writeBackup(file, [part], new Date())).rejects.toThrow(/not as Offprint made it: "undo"/);
    expect(existsSync(file)).toBe(false);
  });

  test('is not restored if its schema is older than this version reads', async () => {
    const where = places();
    const path = databaseWith(where.outer, 'PRAGMA user_version = 6');
    const { code, stderr } = await (await backupOf(where, {}, ['blog.db', path]))();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /cannot be restored: blog\.db has schema 6, .* commit [0-9a-f]{8}, which migrates it\. Nothing was changed\.\n$/,
    );
  });
});

test('a file that nothing uses is named, with the reason', async () => {
  const where = places();
  const path = join(where.outer, 'made.db');
  openForWriting(path).close();
  const own = await (await backupOf(where, {}, ['keys.db', path]))('--db', 'my blog.db', '--out', 'o');
  expect(own.stdout).toMatch(/^left out keys\.db: .*--keys/m);
  // What it says to run next names the same files.
  expect(own.stdout).toMatch(
    /Publish it again: .*build --db 'my blog\.db' --out o, or .*start --db 'my blog\.db' --out o$/m,
  );
});

describe('an archive made by hand', () => {
  /** An archive with a text of a configuration; the manifest is followed by spaces. */
  async function archive(text: string, spaces: number, listed: object = {}): Promise<string> {
    const file = join(temporaryFolder(), 'made.zip');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const files = [{ name: 'offprint.json', bytes: Buffer.byteLength(text), sha256, ...listed }];
    const manifest = JSON.stringify({ format: 1, offprint: '0.2.0', made_at: '2026-01-01T00:00:00Z', files });
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(manifest + ' '.repeat(spaces)), 'backup.json');
    zip.addBuffer(Buffer.from(text), 'offprint.json');
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
    return file;
  }

  test.each([
    ['is restored', '{}', 1000, {}, null],
    ['has a large manifest, which is not read', '{}', 2_000_000, {}, /it is no backup of Offprint/],
    [
      'has a large configuration, which is not read',
      `{}${' '.repeat(2_000_000)}`,
      0,
      {},
      /damaged or too large/,
    ],
    ['lists another size', '{}', 0, { bytes: 3 }, /offprint\.json is damaged/],
  ])('%s', async (_, text, spaces, listed, says) => {
    const place = temporaryFolder();
    const { code, stderr } = await offprint(['restore', await archive(text, spaces, listed)], place);
    if (says === null) return expect(code, stderr).toBe(0);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(readdirSync(place)).toEqual([]);
  });

  test('has more files than a backup can have', async () => {
    const file = join(temporaryFolder(), 'many.zip');
    const zip = new ZipFile();
    for (let i = 0; i < 2000; i++) zip.addBuffer(Buffer.from(''), `${i}.txt`);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
    expect((await offprint(['restore', file, '--check'])).stderr).toContain('it is damaged');
  });
});

test.skipIf(lacks('script', HAS_SCRIPT))(
  'a folder that becomes a link while the owner is asked is not written to',
  async () => {
    const where = places();
    const { outer, place, outside } = where;
    const [made, data] = [join(outer, 'made.db'), join(place, 'data')];
    openForWriting(made).close();
    mkdirSync(data);
    await backupOf(where, PROGRAMS, ['blog.db', made]);
    const replace = async () => {
      rmSync(data, { recursive: true });
      symlinkSync(outside, data);
    };
    const typing = { types: 'y\n', cwd: place };
    const args = ['restore', join(outer, 'made.zip')];
    const { code, printed } = await onTerminal(args, 'Trust all of these?', undefined, replace, typing);
    expect(code, printed).toBe(1);
    expect(printed).toContain(`blog.db "${data}/blog.db": a link to ${outside}`);
    expect(readdirSync(outside)).toEqual([]);
  },
);

test('after a restore elsewhere, build and status name what an import leaves out', async () => {
  const { outer, place } = places();
  const [site, before] = [join(outer, 'site'), join(outer, 'before')];
  for (const folder of [site, before]) mkdirSync(folder);
  const post = '---\ntitle: A\ndate: 2026-01-01\n---\nText';
  writeFileSync(join(site, 'a.md'), post);
  writeFileSync(join(site, 'b.md'), post.replace('2026-01-01', 'some day'));
  writeFileSync(
    join(before, 'offprint.json'),
    JSON.stringify({ import: [{ format: 'markdown', path: site }] }),
  );
  expect((await offprint(['build'], before)).stderr).toMatch(/left out .*b\.md/);
  const file = join(outer, 'blog.zip');
  expect((await offprint(['backup', file], before)).code).toBe(0);
  const restored = await offprint(['restore', file, '--trust'], place);
  expect(restored.code, restored.stderr).toBe(0);
  expect((await offprint(['build'], place)).stderr).toMatch(/left out .*b\.md/);
  expect((await offprint(['status'], place)).stdout).toMatch(/left out .*b\.md/);
});
