/**
 * Another program's SQLite database, through its owner's views: from its rows to what is published.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as next } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importConfigured } from '../../../cli/imports.ts';
import { PREFIX } from '../../../contract/api.ts';
import { openForWriting } from '../../../data/database.ts';
import { DatabaseForeign } from '../../../data/errors.ts';
import { LossesFound } from '../../../data/imported/errors.ts';
import { importBlog, type ImportRules } from '../../../data/imported/import.ts';
import { readBlog } from '../../../import/formats.ts';
import { type Pace, readingSource } from '../../../import/sql/database.ts';
import { splitStatements, temporaryView } from '../../../import/sql/views.ts';
import { runOffprint, startOffprint } from '../../build/offprint-process.ts';
import { readPublished } from '../../build/published-blog.ts';
import { editing, LIMITS, NOW, publish } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { expectOneLine } from '../../build/untouched.ts';
import { send } from '../../service/client.ts';
import { changing } from '../foreign-database.ts';

/** A schema of the owner's own: other names, other types, dates as seconds. */
const SCHEMA = `
  CREATE TABLE people (login TEXT PRIMARY KEY, shown_as TEXT, face TEXT);
  CREATE TABLE entry (nr INTEGER PRIMARY KEY, name TEXT, headline TEXT, text, at, state INTEGER DEFAULT 1,
    writer TEXT, section INTEGER, hits INTEGER DEFAULT 0, changed INTEGER DEFAULT 0);
  CREATE TABLE section (nr INTEGER PRIMARY KEY, label TEXT);
  CREATE TABLE labelled (entry INTEGER, label TEXT, place INTEGER);
  INSERT INTO people VALUES ('ann', 'Ann', 'https://img.example/ann.png'), ('bo', 'Bo', NULL);
  INSERT INTO section VALUES (1, 'News'), (2, 'Empty');
  INSERT INTO entry (nr, name, headline, text, at, writer, section, hits) VALUES
    (9007199254740993, 'big', 'Big', '# Big', '2024-01-01 10:00:00', 'ann', 1, 3),
    (9007199254740994, 'bigger', 'Bigger', 'x', '2024-01-02 10:00:00', 'bo', NULL, 0),
    (3, 'three', 'Three', '*3*', '2024-01-03T10:00:00+05:30', NULL, NULL, 0),
    (4, 'four', 'Four', 'x', '2024-01-04 10:00:00', NULL, NULL, 0);
  INSERT INTO labelled VALUES (3, 'b', 1), (3, 'a', 2), (9007199254740993, 'a', 1);
`;

const POSTS = `CREATE TEMP VIEW offprint_posts AS SELECT nr AS id, name AS slug, headline AS title,
  offprint_markdown(text) AS body, at AS published_at, hits AS views, section AS category_id, writer AS author_id,
  CASE state WHEN 1 THEN 'published' WHEN 0 THEN 'draft' ELSE state END AS status FROM main.entry;`;
const VIEWS = `-- My blog; it's mine
  CREATE TEMP VIEW offprint_site AS SELECT 'Mine' AS name, 'https://mine.example' AS url, '/e/{slug}' AS post_path,
    '/c/{slug}' AS category_path, '/t/{slug}' AS tag_path, 'Europe/Oslo' AS time_zone;
  CREATE TEMP VIEW offprint_authors AS SELECT login AS id, login AS username, shown_as AS name, face AS avatar FROM main.people;
  CREATE TEMP VIEW offprint_categories AS SELECT nr AS id, offprint_term_slug(label) AS slug, label AS name FROM main.section;
  CREATE TEMP VIEW offprint_tags AS SELECT DISTINCT label AS id, label AS slug, upper(label) AS name FROM main.labelled;
  CREATE TEMP VIEW offprint_post_tags AS SELECT entry AS post_id, label AS tag_id, place FROM main.labelled;
  ${POSTS}`;
/** With another column that a view may have. */
const withColumn = (name: string) => VIEWS.replace('hits AS views', `hits AS views, changed AS ${name}`);

/** A blog whose posts are in another program's database. */
function blog(views = VIEWS) {
  const folder = temporaryFolder();
  const [theirs, db, out] = [join(folder, 'mine.db'), join(folder, 'blog.db'), join(folder, 'out')];
  const file = join(folder, 'views.sql');
  changing(theirs, (open) => open.exec(SCHEMA));
  writeFileSync(file, views);
  const setting = { format: 'sql' as const, path: theirs, views: file };
  /** @returns the result of the import: a report, a failure, or neither if nothing had changed */
  const read = async (more: { force?: boolean } = {}) => {
    const [outcome] = await importConfigured({
      db,
      out,
      config: { import: [setting], site: {} },
      now: NOW,
      ...more,
    });
    return outcome ?? expect.fail('no outcome');
  };
  /** The report; fails if the import did. */
  const report = async (more = {}) => {
    const { report: made, failure } = await read(more);
    return made ?? expect.fail(failure ?? 'nothing had changed');
  };
  const published = async (now = NOW, force = false) => {
    await publish(db, out, { now, force });
    return readPublished(out);
  };
  const write = (sql: string) => changing(theirs, (open) => open.exec(sql));
  return { folder, theirs, db, out, file, write, read, report, published };
}

const slugsOf = ({ summaries }: { readonly summaries: readonly unknown[] }) =>
  summaries.map((summary) => Object(summary).slug);

describe('views over another schema', () => {
  test('can give every field', async () => {
    const { db, report, published } = blog();
    expect(await report()).toMatchObject({ posts: { published: 4 }, skipped: [], losses: [], notes: [] });
    const { summaries, details, ...lists } = await published();
    expect(summaries[0]).toMatchObject({
      slug: 'big',
      views: 3,
      tags: ['A'],
      url: 'https://mine.example/e/big',
      author: { name: 'Ann', username: 'ann' },
      category: { name: 'News', slug: 'news' },
      published_at: '2024-01-01T11:00:00+01:00',
    });
    expect(summaries[2]).toMatchObject({ tags: ['B', 'A'], published_at: '2024-01-03T10:00:00+05:30' });
    expect(details[0]).toMatchObject({ content: '<h1 id="big">Big</h1>\n' });
    expect(lists).toMatchObject({
      categories: [
        { slug: 'empty', posts_count: 0 },
        { slug: 'news', posts_count: 1, url: 'https://mine.example/c/news' },
      ],
      tags: [{ name: 'A', url: 'https://mine.example/t/a' }, { name: 'B' }],
      authors: [{ avatar: 'https://img.example/ann.png' }, { avatar: null }],
    });
    expect(editing(db, (open) => open.prepare('SELECT name FROM site').pluck().get())).toBe('Mine');
  });

  test('may have names in capitals, and give only what an article needs', async () => {
    const { report, published } = blog(
      'CREATE TEMP VIEW OFFPRINT_POSTS AS SELECT nr AS ID, name AS Slug, headline AS TITLE, text AS body, at AS published_at FROM main.entry',
    );
    expect(await report()).toMatchObject({ posts: { published: 4 }, skipped: [] });
    const empty = { author: null, category: null, tags: [], views: 0 };
    expect((await published()).summaries[0]).toMatchObject(empty);
  });

  test('take over what is renamed', async () => {
    const { write, report, published } = blog(withColumn('revision'));
    await report();
    write(`UPDATE section SET label = 'NEWS!' WHERE nr = 1; UPDATE people SET shown_as = 'Anne', face = NULL;
      UPDATE labelled SET label = 'c' WHERE label = 'a'; UPDATE entry SET name = 'uno' WHERE name = 'big'`);
    await report();
    expect(await published()).toMatchObject({
      summaries: [
        { slug: 'uno', tags: ['C'], author: { name: 'Anne' }, category: { name: 'NEWS!' } },
        ...[{ slug: 'bigger' }, { tags: ['B', 'C'] }, {}],
      ],
      authors: [{ avatar: null }, { avatar: null }],
      moved: { big: 'uno' },
    });
  });

  test('may have dates as seconds or milliseconds, distinguished by their size', async () => {
    const { write, report, published } = blog();
    write(`UPDATE entry SET at = 2524608000 WHERE name = 'big'; UPDATE entry SET at = 2524608000000 WHERE name = 'bigger';
      UPDATE entry SET at = 946684800.5 WHERE name = 'three'; UPDATE entry SET at = 20240501 WHERE name = 'four'`);
    expect((await report()).skipped).toMatchObject([
      {
        source: 'offprint_posts four',
        reason: 'has a date that cannot be read: "20240501" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      },
    ]);
    expect((await published(new Date('2050-01-02T00:00:00Z'))).summaries).toMatchObject([
      { slug: 'three', published_at: '2000-01-01T01:00:00+01:00' },
      { slug: 'big', published_at: '2050-01-01T01:00:00+01:00' },
      { slug: 'bigger', published_at: '2050-01-01T01:00:00+01:00' },
    ]);
  });

  test('may say when posts were changed, and when they expire', async () => {
    const { write, report, published } = blog(
      VIEWS.replace('hits AS views', 'changed AS expires_at, at AS updated_at'),
    );
    write(`UPDATE entry SET changed = NULL WHERE name = 'big'; UPDATE entry SET changed = '' WHERE name = 'bigger';
      UPDATE entry SET changed = '2026-11-01' WHERE name = 'three'; UPDATE entry SET changed = 'at Whitsun' WHERE name = 'four'`);
    expect((await report()).skipped).toMatchObject([
      {
        reason:
          'has an expiry date that cannot be read: "at Whitsun" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      },
    ]);
    const { summaries } = await published();
    expect(summaries[0]).toMatchObject({ updated_at: '2024-01-01T11:00:00+01:00' });
    expect(slugsOf({ summaries })).toEqual(['big', 'bigger', 'three']);
    expect(slugsOf(await published(new Date('2026-11-02T00:00:00Z')))).toEqual(['big', 'bigger']);
  });

  test('are told what of the site cannot be used', async () => {
    const { report, published } = blog(
      VIEWS.replace("'/e/{slug}'", "'/e'").replace('Europe/Oslo', 'Europe/Atlantis'),
    );
    expect((await report()).notes).toEqual([
      'time_zone of offprint_site is not used: "Europe/Atlantis" is not a time zone.',
      'post_path of offprint_site is not used: "/e" must contain {slug}.',
    ]);
    expect((await published()).summaries[0]).toMatchObject({ published_at: '2024-01-01T10:00:00+00:00' });
  });
});

describe('rows', () => {
  test('that cannot be published are left out and named, and stay as they were', async () => {
    const { write, report, published } = blog();
    await report();
    write(`
      INSERT INTO entry (nr, name, headline, text, at, writer, section, state) VALUES
        (10, ' ', 'No slug', '', '2024-01-01', NULL, NULL, 1),
        (11, 'no-title', NULL, '', '2024-01-01', NULL, NULL, 1),
        (12, 'no-date', 'x', '', NULL, NULL, NULL, 1),
        (14, 'no-author', 'x', '', '2024-01-01', 'cy', NULL, 1),
        (15, 'no-section', 'x', '', '2024-01-01', NULL, 7, 1),
        (18, 'no-text', x'00ff', '', '2024-01-01', NULL, NULL, 1),
        (19, 'draft', NULL, NULL, NULL, NULL, NULL, 0),
        (20, 'no-unicode', CAST(x'61ff62' AS TEXT), '', '2024-01-01', NULL, NULL, 1);
      UPDATE entry SET at = 'soon' WHERE nr = 4;
      INSERT INTO labelled VALUES (3, ' ', 9);
      INSERT INTO people VALUES ('dee', '', NULL), ('eve', CAST(x'61ff62' AS TEXT), NULL);
    `);
    const { skipped, losses } = await report();
    expect(
      skipped.map(({ source, reason }) => `${source.replace('offprint_', '')}: ${reason}`).sort(),
    ).toEqual([
      'authors dee: it has no name',
      'authors eve: its name is not valid Unicode',
      'posts  : it has no slug',
      'posts four: has a date that cannot be read: "soon" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      'posts no-author: its author cy is missing or was left out',
      'posts no-date: has no date',
      'posts no-section: its category 7 is missing or was left out',
      'posts no-text: its title is not text',
      'posts no-unicode: its title is not valid Unicode',
      'tags  : it has no id',
    ]);
    expect(losses).toMatchObject([
      { what: 'tag', first: 'sql:3', detail: 'tag   is missing or was left out' },
    ]);
    const after = await published();
    expect(slugsOf(after)).toEqual(['no-title', 'big', 'bigger', 'three', 'four']);
    expect(after.summaries[0]).toMatchObject({ title: 'No title' });
  });

  test.each(['0', "'archived'", "'private'", "x'00'"])(
    'of the state %s are not public any more',
    async (state) => {
      const { write, report, published } = blog(withColumn('revision'));
      await report();
      write(`UPDATE entry SET state = ${state} WHERE nr = 3`);
      await report();
      expect(slugsOf(await published())).toEqual(['big', 'bigger', 'four']);
      write('UPDATE entry SET state = 1 WHERE nr = 3');
      await report();
      expect(slugsOf(await published())).toContain('three');
    },
  );

  test('of an unknown status are a loss, whatever an option says, and stop a strict import', async () => {
    const { theirs, db, file, write, report } = blog();
    await report();
    write("UPDATE entry SET state = 'pending' WHERE nr = 3; UPDATE entry SET state = 'members' WHERE nr = 4");
    const open = openForWriting(db);
    onTestFinished(() => void open.close());
    const run = (rules: ImportRules) =>
      importBlog({ db: open, items: readBlog('sql', [theirs], { now: NOW, views: file }), ...rules });
    await expect(run({ strict: true })).rejects.toThrow(LossesFound);
    expect(await run({ keep: true })).toMatchObject({
      hidden: { draft: 1, members: 1 },
      gone: [{ slug: 'three' }, { slug: 'four' }],
      skipped: [],
      losses: [{ what: 'status "pending"', count: 1, first: 'sql:3' }],
    });
  });

  test('that are gone are archived, but not most of them at once', async () => {
    const { write, read, report, published } = blog(withColumn('revision'));
    await report();
    write('DELETE FROM entry WHERE nr = 4');
    await report();
    expect(slugsOf(await published())).toEqual(['big', 'bigger', 'three']);
    write('DELETE FROM entry WHERE nr > 4');
    expect((await read()).failure).toContain('2 of 3 published posts of the blog "Mine" are missing');
    await report({ force: true });
    expect(slugsOf(await published(NOW, true))).toEqual(['three']);
  });

  test('without an id are named, with a revision too', async () => {
    const { write, report } = blog(
      withColumn('revision').replace('nr AS id, name', 'nullif(nr, 4) AS id, name'),
    );
    expect((await report()).skipped).toEqual([{ source: 'offprint_posts four', reason: 'has no id' }]);
    write("UPDATE entry SET headline = 'Edited' WHERE nr = 3");
    expect(await report()).toMatchObject({ imported: { posts: 1 }, skipped: [{ reason: 'has no id' }] });
  });

  test('with a slash in their ids are not taken for a folder of others', async () => {
    const { write, report, published } = blog(
      withColumn('revision').replace(
        'nr AS id',
        "CASE nr WHEN 3 THEN 'a' WHEN 4 THEN 'a/4' ELSE nr END AS id",
      ),
    );
    await report();
    write('DELETE FROM entry WHERE nr = 4');
    await report();
    expect(slugsOf(await published())).toEqual(['big', 'bigger', 'three']);
  });
});

describe('what is read again', () => {
  test('with a revision are the rows that changed, and their texts only with it', async () => {
    const { db, write, report } = blog(withColumn('revision'));
    expect(await report()).toMatchObject({ imported: { posts: 4 } });
    const edits: readonly (readonly [sql: string, posts: number])[] = [
      ["UPDATE entry SET text = 'not told' WHERE nr = 3", 0],
      ["UPDATE entry SET text = 'told', changed = 1 WHERE nr = 3", 1],
      ["UPDATE entry SET headline = 'Other columns are looked at' WHERE nr = 4", 1],
      ['UPDATE entry SET hits = hits + 1 WHERE nr = 4', 1],
    ];
    for (const [sql, posts] of edits) {
      write(sql);
      expect(await report(), sql).toMatchObject({ imported: { posts }, unchanged: 4 - posts });
    }
    // A row that its owner has deleted here comes back.
    editing(db, (open) => open.exec("DELETE FROM posts WHERE slug = 'three'"));
    write("UPDATE people SET shown_as = 'Anna' WHERE login = 'ann'");
    expect((await report()).posts).toMatchObject({ published: 4 });
  });

  test('is everything with --all, also texts without another revision', async () => {
    const { write, report } = blog(withColumn('revision'));
    await report();
    write("UPDATE entry SET text = 'not told' WHERE nr = 3");
    expect(await report({ all: true })).toMatchObject({ imported: { posts: 1 }, unchanged: 3 });
  });

  test("is everything, if the blog's time zone changed", async () => {
    const { write, report, published } = blog(
      withColumn('revision').replace("'Europe/Oslo'", '(SELECT zone FROM main.setting)'),
    );
    write("CREATE TABLE setting (zone TEXT); INSERT INTO setting VALUES ('Europe/Oslo')");
    await report();
    write("UPDATE setting SET zone = 'Asia/Tokyo'");
    await report();
    expect((await published()).summaries[0]).toMatchObject({ published_at: '2024-01-01T19:00:00+09:00' });
  });

  test('is everything, if the views changed', async () => {
    const { file, report, published } = blog(withColumn('revision'));
    await report();
    writeFileSync(file, withColumn('revision').replace('headline AS title', 'upper(headline) AS title'));
    await report();
    expect((await published()).summaries[0]).toMatchObject({ title: 'BIG' });
  });

  test.each(['delete', 'wal'])(
    'is nothing without a write, and reading writes nothing (journal: %s)',
    async (journal) => {
      const { theirs, read, report } = blog();
      changing(theirs, (open) => open.pragma(`journal_mode = ${journal}`));
      const before = readFileSync(theirs);
      await report();
      expect(await read()).toEqual({ format: 'sql', path: theirs });
      expect(readFileSync(theirs).equals(before)).toBe(true);
      const owner = new Database(theirs); // While it is open, its writes may be in the log alone.
      onTestFinished(() => void owner.close());
      owner.exec("UPDATE entry SET headline = 'Written' WHERE nr = 3");
      expect((await report()).imported.posts).toBe(1);
    },
  );
});

describe('a file of views', () => {
  const changed = (from: string, to: string) => POSTS.replace(from, to);
  const column = (sql: string) => changed('hits AS views', sql);
  test.each<readonly [what: string, views: string, message: RegExp]>([
    ['without a column', changed('headline AS title,', ''), /offprint_posts lacks the column title\./],
    ['with a column too many', column('hits AS veiws'), /an unknown column, veiws; it may have id, slug/],
    ['without posts', 'CREATE TEMP VIEW offprint_site AS SELECT 1 AS name', /offprint_posts is not created/],
    [
      'with another view',
      `${POSTS} CREATE TEMP VIEW offprint_x AS SELECT 1`,
      /offprint_x is not a view that/,
    ],
    [
      'that is broken',
      'CREATE TEMP VIEW offprint_posts AS SELEKT 1',
      /cannot be read .*: near "SELEKT": syntax/,
    ],
    ['of another schema', changed('main.entry', 'main.x'), /offprint_posts cannot be read .*: no such table/],
    ['that fails at a row', column("json_extract('{', '$.a') AS views"), /cannot be read .*: malformed JSON/],
    ['that writes', `${POSTS} UPDATE entry SET nr = 1;`, /only CREATE TEMP VIEW .* not "UPDATE entry SET/],
    [
      'that makes a lasting view',
      changed('TEMP ', ''),
      /only CREATE TEMP VIEW .*"CREATE VIEW offprint_posts/,
    ],
    ['that attaches another', `ATTACH 'other.db' AS other; ${POSTS}`, /only CREATE TEMP VIEW/],
    ['that loads an extension', column("load_extension('x') AS views"), /not authorized|no such function/],
    ['that is empty', '-- nothing', /offprint_posts is not created/],
    ['that is a database', 'SQLite format 3', /this is a database, not a file of views/],
  ])('%s is refused with what to do', async (_, views, message) => {
    const { folder, theirs, db, read } = blog(views);
    const before = readFileSync(theirs);
    const { failure } = await read();
    expect(failure).toMatch(message);
    expect(failure).toContain('docs/owners/import-sql.md');
    expect(readFileSync(theirs).equals(before)).toBe(true);
    expect([existsSync(db), existsSync(join(folder, 'other.db'))]).toEqual([false, false]);
  });

  test('is split into statements correctly', () => {
    const sql = `-- a; b
      CREATE TEMP VIEW "a;b" AS SELECT ';' /* ; */, [x;y], \`;\` FROM t; ; -- it's
      create temporary view if not exists temp.c as select 1`;
    expect(splitStatements(sql)).toHaveLength(2);
    expect(splitStatements(sql).map(temporaryView)).toEqual(['a', 'c']);
    expect(temporaryView('CREATE VIEW a AS SELECT 1')).toBe(null);
  });
});

describe("another program's database", () => {
  test('is not opened for writing, and not changed by the attempt', () => {
    const { theirs } = blog();
    const before = readFileSync(theirs);
    expect(() => openForWriting(theirs)).toThrow(DatabaseForeign);
    expect(readFileSync(theirs).equals(before)).toBe(true);
  });

  test('that cannot be read keeps what is imported, and says why', async () => {
    const { theirs, write, read, report, published } = blog();
    await report();
    write(`WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 200)
      INSERT INTO entry (nr, name, headline, text, at)
      SELECT n + 100, 'n' || n, 'N', hex(zeroblob(900)), '2024-01-01' FROM n`);
    const whole = readFileSync(theirs);
    writeFileSync(theirs, whole.subarray(0, 40_000));
    expect((await read()).failure).toMatch(/mine\.db cannot be read: it is damaged\. Restore it/);
    writeFileSync(
      theirs,
      'not a database, but a text that is longer than a header of one would be'.repeat(9),
    );
    expect((await read()).failure).toMatch(/mine\.db cannot be read: it is not a SQLite database/);
    rmSync(theirs);
    expect((await read()).failure).toMatch(/mine\.db cannot be read: there is no such file/);
    expect(slugsOf(await published())).toEqual(['big', 'bigger', 'three', 'four']);
    writeFileSync(theirs, whole);
    expect((await report()).posts.published).toBe(204);
  });

  test('with an unfinished write is reported with the program that can repair it', async () => {
    const { folder, theirs, file } = blog();
    const [left, kept] = [join(folder, 'left.db'), new Database(theirs)];
    onTestFinished(() => void kept.close());
    // As after a kill: changed pages in the file, and the journal that undoes them.
    kept.pragma('cache_size = 1');
    kept.exec(`BEGIN; CREATE TABLE big AS WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 500)
      SELECT n, hex(zeroblob(2000)) AS text FROM n; UPDATE entry SET headline = 'changed'`);
    for (const suffix of ['', '-journal']) copyFileSync(theirs + suffix, left + suffix);
    kept.exec('ROLLBACK');
    const { code, stderr } = await runOffprint([
      ...['import', 'sql', left, '--views', file, '--db', join(folder, 'blog.db')],
    ]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/killed in the middle of a write, and the journal next to it/),
    ]);
    expect(existsSync(`${left}-journal`)).toBe(true);
  });

  test('that stays locked is waited for, and then reported', async () => {
    const { theirs, read, report } = blog();
    const holder = new Database(theirs);
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN EXCLUSIVE');
    expect((await read()).failure).toMatch(/stayed locked by another program .* Nothing was imported/);
    holder.exec('ROLLBACK');
    expect((await report()).posts.published).toBe(4);
  });
});

describe('a database with a rollback journal', () => {
  const ROWS = 2000;
  /** Of some MB. All rows have the same number, so that a mix of two states is visible. */
  function numbered() {
    const folder = temporaryFolder();
    const [path, copies] = [join(folder, 'theirs.db'), join(folder, 'copies')];
    changing(path, (db) =>
      db.exec(`CREATE TABLE entry (nr INTEGER PRIMARY KEY, number INTEGER, text);
        WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${ROWS})
        INSERT INTO entry SELECT n, 0, hex(zeroblob(1000)) FROM n`),
    );
    /** How many rows have each number. @param between is called between two steps of the copy */
    const read = async (between: () => void, pace: Partial<Pace> = {}) => {
      let isDone = false;
      const writing = (async () => {
        for (; !isDone; await next()) between();
      })();
      try {
        const sql = 'SELECT number, count(*) AS rows FROM entry GROUP BY number';
        const items = async function* (db: Database.Database) {
          yield* [db.prepare(sql).all(), db.name];
        };
        const steps = { stepBytes: 100_000, timeoutMs: 600_000, ...pace };
        const all: unknown[] = [];
        for await (const item of readingSource(path, copies, items, steps)) all.push(item);
        return all;
      } finally {
        isDone = true;
        await writing;
      }
    };
    /** Fails if someone reads at this moment. */
    const write = (sql: string) =>
      changing(path, (db) => {
        db.pragma('busy_timeout = 0');
        db.exec(sql);
      });
    return { folder, path, copies, read, write };
  }

  test('is copied in one state while others write, and the copy is removed', async () => {
    const { copies, read, write } = numbered();
    let steps = 0;
    const between = () => {
      steps += 1;
      if (steps % 5 === 0 && steps <= 20) write(`UPDATE entry SET number = ${steps}`);
      if (steps === 25) write('INSERT INTO entry SELECT nr + 10000, number, text FROM entry');
      if (steps === 30) write(`DELETE FROM entry WHERE nr > ${ROWS / 2}; VACUUM`);
    };
    const [rows, name] = await read(between);
    expect(rows).toEqual([{ number: 20, rows: ROWS / 2 }]);
    expect(name).toBe(join(copies, 'copy.db'));
    expect(existsSync(copies)).toBe(false);
  });

  test('is read as it is once its owner gives it a write-ahead log', async () => {
    const { path, read, write } = numbered();
    const owner = new Database(path);
    onTestFinished(() => void owner.close());
    owner.pragma('journal_mode = WAL');
    owner.exec('UPDATE entry SET number = 7'); // In the log alone.
    expect(await read(() => undefined)).toEqual([[{ number: 7, rows: ROWS }], path]);
    const [rows, name] = await read(() => write('UPDATE entry SET number = number + 1'));
    expect([rows, name]).toEqual([[{ number: expect.any(Number), rows: ROWS }], path]);
  });

  test('that changes all the time fails the import, not the writes', async () => {
    const { copies, read, write } = numbered();
    let writes = 0;
    const between = () => write(`UPDATE entry SET number = ${++writes}`);
    await expect(read(between, { timeoutMs: 0 })).rejects.toThrow(/kept changing .* Nothing was imported/);
    expect(writes).toBeGreaterThan(0);
    expect(existsSync(copies)).toBe(false);
  });
});

describe('the command line', () => {
  test('asks for views, and refuses the earlier ways with the new entry', async () => {
    const { folder, theirs, db, file } = blog();
    const offprint = (args: readonly string[], env = {}) => runOffprint(args, { env, cwd: folder });
    const unnamed = await offprint(['import', theirs, '--db', db]);
    expect(unnamed.stderr).toMatch(/can be read only through a file of SQL views\. Add --views FILE/);
    const entry = JSON.stringify({ import: [{ format: 'sql', path: theirs, views: file }] });
    const build = ['build', '--db', theirs];
    for (const refused of [
      await offprint([...build, '--source', file]),
      await offprint([...build, `--source=${file}`]),
      await offprint(build, { OFFPRINT_SOURCE: file }),
    ])
      expect(expectOneLine(refused)).toContain(`Put ${entry} into offprint.json`);
    writeFileSync(join(folder, 'offprint.json'), JSON.stringify({ source: 'views.sql' }));
    expect(expectOneLine(await offprint(['build', '--db', db]))).toMatch(
      /"source" was replaced by an "import" format\. Put .*"path":"DATABASE","views":"views\.sql"/,
    );
    expect(readdirSync(folder).sort()).toEqual(['mine.db', 'offprint.json', 'views.sql']);
  });

  test('start follows edits of the database and its log, with views next to the configuration', async () => {
    const { folder, theirs, db, out, write } = blog();
    const config = join(folder, 'offprint.json');
    const setting = { format: 'sql', path: 'mine.db', views: 'views.sql' };
    writeFileSync(config, JSON.stringify({ import: [setting], limits: LIMITS }));
    // The schedule would be in a year: what is seen is seen by watching.
    const args = ['start', '--db', db, '--out', out, '--config', config, '--port', '0'];
    const running = startOffprint([...args, '--cron', '0 0 1 1 *'], { cwd: '/' });
    onTestFinished(async () => void (await running.end('SIGTERM')));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    const url = /http:\/\/[\d.]+:\d+/.exec(running.stdout)?.[0] ?? '';
    const shown = async () => JSON.stringify((await send(url, { path: `${PREFIX}/posts/three` })).json);
    write("UPDATE entry SET headline = 'Edited' WHERE nr = 3");
    await expect.poll(shown).toContain('Edited');
    const owner = new Database(theirs);
    onTestFinished(() => void owner.close());
    owner.pragma('journal_mode = WAL');
    owner.exec("UPDATE entry SET headline = 'In the log' WHERE nr = 3");
    await expect.poll(shown).toContain('In the log');
  });
});
