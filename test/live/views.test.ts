import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isBuildDue } from '../../build/build.ts';
import { SILENT } from '../../common/progress.ts';
import { DatabaseError, DatabaseForeign } from '../../data/errors.ts';
import { openForWriting } from '../../data/database.ts';
import { statementsOf, temporaryView } from '../../data/live/statements.ts';
import { siteAddress } from '../../data/live/live.ts';
import { mirrorPath } from '../../data/live/mirror-path.ts';
import { readPublished } from '../build/published-blog.ts';
import { differences } from '../build/output.ts';
import { LIMITS, NOW, publish } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { expectOneLine, pointerFile } from '../build/untouched.ts';
import { runOffprint, startOffprint } from '../build/offprint-process.ts';
import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';
import { changing, settle } from './ghost-database.ts';

/** A schema of the owner's own: other names, other types, dates as seconds. */
const SCHEMA = `
  CREATE TABLE people (login TEXT PRIMARY KEY, shown_as TEXT);
  CREATE TABLE entry (nr INTEGER PRIMARY KEY, name TEXT, headline TEXT, text, at, state INTEGER DEFAULT 1,
    writer TEXT, section INTEGER, hits INTEGER DEFAULT 0, changed INTEGER DEFAULT 0);
  CREATE TABLE section (nr INTEGER PRIMARY KEY, label TEXT);
  CREATE TABLE labelled (entry INTEGER, label TEXT);
  INSERT INTO people VALUES ('ann', 'Ann'), ('bo', 'Bo');
  INSERT INTO section VALUES (1, 'News');
  INSERT INTO entry (nr, name, headline, text, at, writer, section, hits) VALUES
    (9007199254740993, 'big', 'Big', '# Big', '2024-01-01 10:00:00', 'ann', 1, 3),
    (9007199254740994, 'bigger', 'Bigger', 'x', '2024-01-02 10:00:00', 'bo', NULL, 0),
    (3, 'three', 'Three', '*3*', '2024-01-03T10:00:00+05:30', NULL, NULL, 0),
    (4, 'four', 'Four', 'x', '2024-01-04 10:00:00', NULL, NULL, 0);
  INSERT INTO labelled VALUES (3, 'b'), (3, 'a'), (9007199254740993, 'a');
`;

const POSTS = `CREATE TEMP VIEW offprint_posts AS SELECT nr AS id, name AS slug, headline AS title,
  offprint_markdown(text) AS body, at AS published_at, hits AS views, section AS category_id, writer AS author_id,
  CASE state WHEN 1 THEN 'published' WHEN 0 THEN 'draft' ELSE state END AS status FROM main.entry;`;
const VIEWS = `-- My blog; it's mine
  CREATE TEMP VIEW offprint_authors AS SELECT login AS id, login AS username, shown_as AS name FROM main.people;
  CREATE TEMP VIEW offprint_categories AS SELECT nr AS id, offprint_term_slug(label) AS slug, label AS name FROM main.section;
  CREATE TEMP VIEW offprint_tags AS SELECT DISTINCT label AS id, label AS slug, label AS name FROM main.labelled;
  CREATE TEMP VIEW offprint_post_tags AS SELECT entry AS post_id, label AS tag_id FROM main.labelled;
  ${POSTS}`;

function blog(views = VIEWS) {
  const folder = temporaryFolder();
  const [db, out, source] = [join(folder, 'mine.db'), join(folder, 'out'), join(folder, 'views.sql')];
  changing(db, (open) => open.exec(SCHEMA));
  writeFileSync(source, views);
  const write = (sql: string) => changing(db, (open) => open.exec(sql));
  return { folder, db, out, source, write, build: (more = {}) => publish(db, out, { source, ...more }) };
}

describe('views over another schema', () => {
  test('can give every field', async () => {
    const { out, build } = blog();
    expect(await build()).toMatchObject({ posts: 4, skipped: [] });
    const { summaries, details, categories } = readPublished(out);
    expect(summaries[0]).toMatchObject({
      slug: 'big',
      views: 3,
      author: { name: 'Ann', username: 'ann' },
      category: { name: 'News', slug: 'news' },
      tags: ['a'],
      published_at: '2024-01-01T10:00:00+00:00',
    });
    expect(summaries[2]).toMatchObject({ tags: ['a', 'b'], published_at: '2024-01-03T10:00:00+05:30' });
    expect(details[0]).toMatchObject({ content: '<h1 id="big">Big</h1>\n' });
    expect(categories).toMatchObject([{ slug: 'news', posts_count: 1 }]);
  });

  test('may have names in capitals', async () => {
    const { build } = blog(
      VIEWS.replaceAll(/offprint_posts AS|\bAS (?:slug|views|id|name)\b/g, (name) => name.toUpperCase()),
    );
    expect(await build()).toMatchObject({ posts: 4, skipped: [] });
  });

  test('may give only the fields that an article needs', async () => {
    const { out, build } = blog(
      'CREATE TEMP VIEW offprint_posts AS SELECT nr AS id, name AS slug, headline AS title, text AS body, at AS published_at FROM main.entry',
    );
    expect(await build()).toMatchObject({ posts: 4, skipped: [] });
    expect(readPublished(out).summaries[0]).toMatchObject({
      author: null,
      category: null,
      tags: [],
      views: 0,
    });
  });

  test('may have a revision, which is compared instead of the text', async () => {
    const { write, build } = blog(VIEWS.replace('hits AS views', 'hits AS views, changed AS revision'));
    await build();
    write("UPDATE entry SET text = 'not told' WHERE nr = 3");
    expect((await build()).objects.written).toBe(0);
    write("UPDATE entry SET text = 'told', changed = 1 WHERE nr = 3");
    expect((await build()).objects.written).toBeGreaterThan(0);
    write("UPDATE entry SET headline = 'Other columns are looked at' WHERE nr = 4");
    expect((await build()).objects.written).toBeGreaterThan(0);
  });

  test('may have dates as seconds or milliseconds, distinguished by their size', async () => {
    const { out, write, build } = blog();
    write(`UPDATE entry SET at = 2524608000 WHERE name = 'big';
      UPDATE entry SET at = 2524608000000 WHERE name = 'bigger';
      UPDATE entry SET at = 946684800.5 WHERE name = 'three';
      UPDATE entry SET at = 20240501 WHERE name = 'four'`);
    const { skipped } = await build({ now: new Date('2050-01-02T00:00:00Z') });
    expect(skipped).toMatchObject([{ row: 'four', reason: 'its date "20240501" cannot be read' }]);
    expect(readPublished(out).summaries).toMatchObject([
      { slug: 'three', published_at: '2000-01-01T00:00:00+00:00' },
      { slug: 'big', published_at: '2050-01-01T00:00:00+00:00' },
      { slug: 'bigger', published_at: '2050-01-01T00:00:00+00:00' },
    ]);
  });

  test('may say when posts were changed', async () => {
    const { out, write, build } = blog(
      VIEWS.replace('hits AS views', 'hits AS views, changed AS updated_at'),
    );
    write(`UPDATE entry SET changed = '2024-02-01T10:00:00+05:30' WHERE name = 'big';
      UPDATE entry SET changed = 1706781600 WHERE name = 'bigger';
      UPDATE entry SET changed = 'yesterday' WHERE name = 'three'; UPDATE entry SET changed = NULL WHERE name = 'four'`);
    expect((await build()).skipped).toEqual([]);
    expect(readPublished(out).summaries).toMatchObject(
      ['2024-02-01T10:00:00+05:30', '2024-02-01T10:00:00+00:00', null, null].map((at) => ({
        updated_at: at,
      })),
    );
  });

  test('may let posts expire', async () => {
    const { out, write, build } = blog(VIEWS.replace('hits AS views', 'changed AS expires_at'));
    const now = new Date('2025-06-01T12:00:00Z');
    write(`UPDATE entry SET changed = NULL WHERE name = 'big';
      UPDATE entry SET changed = '' WHERE name = 'bigger';
      UPDATE entry SET changed = '2025-06-01T12:00:01Z' WHERE name = 'three';
      UPDATE entry SET changed = 'at Whitsun' WHERE name = 'four'`);
    expect((await build({ now })).skipped).toMatchObject([
      { row: 'four', reason: 'its expiry date "at Whitsun" cannot be read' },
    ]);
    expect(readPublished(out).summaries).toMatchObject([
      { slug: 'big' },
      { slug: 'bigger' },
      { slug: 'three' },
    ]);
    await build({ now: new Date(now.getTime() + 1000) });
    expect(readPublished(out).summaries).toMatchObject([{ slug: 'big' }, { slug: 'bigger' }]);
    write("UPDATE entry SET changed = '2025-06-02' WHERE name IN ('three', 'four')");
    expect(await build({ now })).toMatchObject({ posts: 4, skipped: [] });
  });

  test('skip and report rows that cannot be exported', async () => {
    const { db, write, build } = blog();
    write(`
      INSERT INTO entry (nr, name, headline, text, at, writer, section, state) VALUES
        (10, ' ', 'No slug', '', '2024-01-01', NULL, NULL, 1),
        (11, 'no-title', NULL, '', '2024-01-01', NULL, NULL, 1),
        (12, 'no-date', 'x', '', NULL, NULL, NULL, 1),
        (13, 'odd-date', 'x', '', 'soon', NULL, NULL, 1),
        (14, 'no-author', 'x', '', '2024-01-01', 'cy', NULL, 1),
        (15, 'no-section', 'x', '', '2024-01-01', NULL, 7, 1),
        (16, 'odd-state', 'x', '', '2024-01-01', NULL, NULL, 7),
        (17, 'three', 'Three once more', '', '2024-01-01', NULL, NULL, 1),
        (18, 'no-text', x'00ff', '', '2024-01-01', NULL, NULL, 1),
        (19, 'draft', NULL, NULL, NULL, NULL, NULL, 0),
        (20, 'no-unicode', CAST(x'61ff62' AS TEXT), '', '2024-01-01', NULL, NULL, 1);
      INSERT INTO labelled VALUES (4, ' ');
      INSERT INTO people VALUES ('dee', '');
    `);
    const { skipped, posts } = await build();
    expect(posts).toBe(4);
    expect(
      skipped.map(({ table, row, reason }) => `${table.replace('offprint_', '')} ${row}: ${reason}`),
    ).toEqual([
      'authors dee: it has no name',
      'post_tags 4/ : tag   is missing or was left out',
      'posts 10: it has no slug',
      'posts no-author: author cy is missing or was left out',
      'posts no-date: it has no date',
      'posts no-section: category 7 is missing or was left out',
      'posts no-text: its title is not text',
      'posts no-title: it has no title',
      'posts no-unicode: its title is not valid Unicode',
      'posts odd-date: its date "soon" cannot be read',
      'posts odd-state: its status "7" is not draft, scheduled, published or archived',
      'posts three: post 17 has the same slug',
      'tags  : it has no id',
    ]);
    // They are reported by each build, even if nothing else changed, and --strict fails.
    settle(db);
    expect((await build()).skipped).toEqual(skipped);
    expect((await build()).skipped).toEqual(skipped);
    await expect(build({ strict: true })).rejects.toThrow('13 rows cannot be exported');
  });

  test('report a row that becomes invalid, even if the blog does not change', async () => {
    const { write, build } = blog();
    await build();
    write("INSERT INTO entry (nr, name) VALUES (5, 'five')");
    expect((await build()).skipped).toMatchObject([{ table: 'offprint_posts', row: 'five' }]);
    write('DELETE FROM entry WHERE nr = 5');
    expect((await build()).skipped).toEqual([]);
  });

  test('do not publish a blog that lost most of its posts', async () => {
    const { out, write, build } = blog();
    await build();
    const before = pointerFile(out);
    write('DELETE FROM entry WHERE nr <> 3');
    for (const _ of [1, 2]) await expect(build()).rejects.toThrow('would leave 1 of 4');
    expect(pointerFile(out)).toEqual(before);
    expect(await build({ force: true })).toMatchObject({ posts: 1 });
  });
});

describe('a file of views', () => {
  const cases: readonly (readonly [what: string, views: string, message: RegExp])[] = [
    ['without a column', POSTS.replace('headline AS title,', ''), /offprint_posts lacks the column title\./],
    [
      'with a column too many',
      POSTS.replace('hits AS views', 'hits AS veiws'),
      /an unknown column, veiws; it may have id, slug/,
    ],
    [
      'without posts',
      'CREATE TEMP VIEW offprint_tags AS SELECT 1 AS id, 2 AS slug, 3 AS name',
      /offprint_posts is not created/,
    ],
    [
      'with a view too many',
      `${POSTS} CREATE TEMP VIEW offprint_pages AS SELECT 1`,
      /offprint_pages is not a view that Offprint reads: it reads offprint_posts/,
    ],
    [
      'with a broken statement',
      'CREATE TEMP VIEW offprint_posts AS SELEKT 1',
      /offprint_posts cannot be read .*: near "SELEKT": syntax error/,
    ],
    [
      'of another schema',
      POSTS.replace('main.entry', 'main.entries'),
      /offprint_posts cannot be read .*: no such table: main.entries/,
    ],
    ['of another column', POSTS.replace('headline AS', 'head AS'), /no such column: head/],
    [
      'that fails at a row',
      POSTS.replace('hits AS views', "json_extract('{', '$.a') AS views"),
      /offprint_posts cannot be read .*: malformed JSON/,
    ],
    [
      'that writes',
      `${POSTS} UPDATE entry SET headline = 'x';`,
      /only CREATE TEMP VIEW .* Remove this: "UPDATE entry SET/,
    ],
    [
      'that makes a lasting view',
      POSTS.replace('TEMP ', ''),
      /only CREATE TEMP VIEW .*: "CREATE VIEW offprint_posts/,
    ],
    ['that attaches another', `ATTACH 'other.db' AS other; ${POSTS}`, /only CREATE TEMP VIEW/],
    ['that is empty', '-- nothing', /offprint_posts is not created/],
  ];
  test.each(cases)('%s is rejected with what to do', async (_, views, message) => {
    const { db, build, out } = blog(views);
    const before = readFileSync(db);
    const failure: unknown = await build().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(String(failure)).toMatch(message);
    expect(String(failure)).toMatch(/docs\/owners\/live-database\.md|Remove this: /);
    expect(readFileSync(db).equals(before)).toBe(true);
    expect(existsSync(join(out, 'snapshot.json'))).toBe(false);
  });

  test('must exist, like the database', async () => {
    const { folder, db, source, out } = blog();
    const missing = join(folder, 'missing');
    await expect(publish(db, out, { source: missing })).rejects.toThrow('There is no file of views at');
    await expect(publish(missing, out, { source })).rejects.toThrow('There is no database at');
    await expect(publish(source, out, { source })).rejects.toThrow('is not a SQLite database');
  });

  test('may be changed, which counts as a change of the blog', async () => {
    const { db, out, source, build } = blog();
    settle(db);
    await build();
    const options = {
      db,
      source,
      out,
      site: {},
      limits: LIMITS,
      strict: false,
      force: false,
      progress: SILENT,
    };
    const isDue = () => isBuildDue({ ...options, now: NOW, builtBy: 'test' });
    expect(await isDue()).toBe(false);
    writeFileSync(source, VIEWS.replace('headline AS title', 'upper(headline) AS title'));
    expect(await isDue()).toBe(true);
    await build();
    expect(readPublished(out).summaries[0]).toMatchObject({ title: 'BIG' });
  });

  test('is split into statements correctly', () => {
    const sql = `-- a; b
      CREATE TEMP VIEW "a;b" AS SELECT ';' /* ; */, [x;y], \`;\` FROM t; ; -- it's
      create temporary view if not exists temp.c as select 1`;
    expect(statementsOf(sql)).toHaveLength(2);
    expect(statementsOf(sql).map(temporaryView)).toEqual(['a', 'c']);
    expect(temporaryView('CREATE VIEW a AS SELECT 1')).toBe(null);
  });
});

describe('the mirror', () => {
  test.each([
    ['lost', (path: string) => writeFileSync(path, '')],
    ['broken', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
    ['of another schema', (path: string) => changing(path, (db) => db.exec('DROP TABLE post_tags'))],
  ])('is rebuilt if it is %s', async (_, spoil) => {
    const { db, out, source, write, build, folder } = blog();
    await build();
    spoil(mirrorPath(out));
    write("UPDATE entry SET headline = 'Edited' WHERE nr = 3");
    await build();
    const fresh = join(folder, 'fresh');
    await publish(db, fresh, { source });
    expect(differences(out, fresh)).toEqual([]);
  });

  test('is rebuilt for a full build', async () => {
    const { out, build } = blog();
    await build();
    changing(mirrorPath(out), (mirror) => mirror.exec("UPDATE posts SET title = 'Not in the source'"));
    await build({ full: true });
    expect(readPublished(out).summaries[0]).toMatchObject({ title: 'Big' });
  });

  test('keeps former slugs, also over a full build', async () => {
    const { out, write, build } = blog();
    await build();
    write(
      "UPDATE entry SET name = 'uno' WHERE name = 'big'; UPDATE entry SET name = 'big' WHERE name = 'four'",
    );
    write("UPDATE entry SET name = 'cuatro' WHERE name = 'big'");
    for (const full of [false, true]) {
      await build({ full });
      expect(readPublished(out).moved).toEqual({ big: 'uno', four: 'cuatro' });
    }
  });

  test('contains no drafts', async () => {
    const { out, write, build } = blog();
    write('UPDATE entry SET state = 0 WHERE nr = 3');
    await build();
    const slugs = changing(mirrorPath(out), (mirror) =>
      mirror.prepare('SELECT slug FROM posts').pluck().all(),
    );
    expect(slugs).toEqual(expect.not.arrayContaining(['three']));
    expect(slugs).toHaveLength(3);
  });
});

describe("another program's database", () => {
  test('is not opened for writing, and not changed by the attempt', () => {
    const { db } = blog();
    const before = readFileSync(db);
    expect(() => openForWriting(db)).toThrow(DatabaseForeign);
    expect(readFileSync(db).equals(before)).toBe(true);
  });

  test('that is corrupt is named, and the published snapshot stays', async () => {
    const { folder, db, out, source, write, build } = blog();
    write(`WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 200)
      INSERT INTO entry (nr, name, headline, text, at)
      SELECT n + 100, 'n' || n, 'N', hex(zeroblob(900)), '2024-01-01' FROM n`);
    await build();
    const before = pointerFile(out);
    const broken = join(folder, 'broken.db');
    writeFileSync(broken, readFileSync(db).subarray(0, 40_000));
    await expect(publish(broken, out, { source })).rejects.toThrow(`${broken} cannot be read as a database`);
    expect(pointerFile(out)).toEqual(before);
    expect(await build()).toMatchObject({ posts: 204, objects: { written: 0 } });
  });

  test('with an unfinished write is reported with the program that can repair it', async () => {
    const { folder, db, source, out } = blog();
    const [left, kept] = [join(folder, 'left.db'), new Database(db)];
    onTestFinished(() => void kept.close());
    // As after a kill: changed pages in the file, and the journal that undoes them.
    kept.pragma('cache_size = 1');
    kept.exec(`BEGIN; CREATE TABLE big AS WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 500)
      SELECT n, hex(zeroblob(2000)) AS text FROM n; UPDATE entry SET headline = 'changed'`);
    for (const suffix of ['', '-journal']) copyFileSync(db + suffix, left + suffix);
    kept.exec('ROLLBACK');
    await expect(publish(left, out, { source })).rejects.toThrow(
      `${left} was left in the middle of a write: its program was killed, and ${left}-journal undoes`,
    );
    expect(existsSync(`${left}-journal`)).toBe(true);
  });

  test('that another program has locked is waited for, and then reported', async () => {
    const { db, build } = blog();
    const holder = new Database(db);
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN EXCLUSIVE');
    await expect(build()).rejects.toThrow('stayed locked by another program');
    holder.exec('ROLLBACK');
    expect(await build()).toMatchObject({ posts: 4 });
  });
});

describe('views over a database with a rollback journal', () => {
  /** The database's file name shows where the views are evaluated. */
  const where = `CREATE TEMP VIEW offprint_site AS SELECT 'https://blog.example/' || file AS url
    FROM pragma_database_list WHERE name = 'main';`;

  test('are evaluated on a copy, where they may take any time', async () => {
    const { db, out, source, build } = blog(where + VIEWS);
    await build();
    const published = readPublished(out).summaries[0];
    expect(published).toMatchObject({ url: expect.stringContaining('/out/state/source.db/') });
    const live = { db, source, out, siteUrl: null, withdrawn: [] };
    expect(siteAddress(live)).toContain('/out/state/source-');
    changing(db, (open) => open.pragma('journal_mode = WAL'));
    expect(siteAddress(live)).toContain('/mine.db');
  });

  test('leave no copy behind, even if a process is killed', async () => {
    const { out, build } = blog();
    mkdirSync(join(out, 'state'), { recursive: true });
    for (const name of ['source.db', 'source-1.db']) writeFileSync(join(out, 'state', name), 'private');
    await build();
    expect(readdirSync(join(out, 'state')).filter((name) => name.startsWith('source'))).toEqual([]);
  });
});

describe('the command line', () => {
  test('builds from a live database, with keys in another database', async () => {
    const { folder, db, out, source } = blog();
    const keys = join(folder, 'keys.db');
    const args = ['build', '--source', source, '--db', db, '--out', out, '--keys', keys];
    expect(expectOneLine(await runOffprint(args))).toContain('There is no database of keys at');
    expect(existsSync(keys)).toBe(false);
    openForWriting(keys).close();
    expect((await runOffprint(args)).stdout).toMatch(/^published snapshot \w+: 4 posts/);
    const failed = await runOffprint(['build', '--source', db, '--db', db, '--out', out]);
    expect(expectOneLine(failed)).toMatch(/is a database, not a file of views/);
  });

  test('start uses it from the configuration, and follows its edits', async () => {
    const { folder, db, out, write } = blog();
    const [keys, config] = [join(folder, 'keys.db'), join(folder, 'settings', 'offprint.json')];
    openForWriting(keys).close();
    mkdirSync(join(folder, 'settings'));
    copyFileSync(join(folder, 'views.sql'), join(folder, 'settings', 'mine.sql'));
    writeFileSync(config, JSON.stringify({ source: 'mine.sql', limits: LIMITS }));
    const args = ['start', '--db', db, '--keys', keys, '--out', out, '--config', config, '--port', '0'];
    const running = startOffprint([...args, '--cron', '* * * * * *'], { cwd: '/' });
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    const url = /http:\/\/[\d.]+:\d+/.exec(running.stdout)?.[0] ?? '';
    expect(running.stdout).toContain('4 posts');
    expect(running.stdout).toContain('keys create');
    write("UPDATE entry SET headline = 'Edited' WHERE nr = 3");
    await expect
      .poll(async () => JSON.stringify((await send(url, { path: `${PREFIX}/posts/three` })).json), {
        timeout: 120_000,
      })
      .toContain('Edited');
    const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    expect(changing(db, (open) => open.prepare(tables).pluck().all())).toEqual([
      'entry',
      'labelled',
      'people',
      'section',
    ]);
  });
});
