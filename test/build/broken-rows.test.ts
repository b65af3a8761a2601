import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPost, writeEmptyBlog } from '../service/odd-blog.ts';
import { messagesOf } from './offprint-process.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { pointerOf } from './output.ts';
import { readPlainly } from './plain-sql.ts';
import { disagreements, readPublished } from './published-blog.ts';
import { editing, NOW, publish } from './publishing.ts';
import { folderUntil } from './temporary-folder.ts';
import { expectOneLine, expectUntouched, pointerFile } from './untouched.ts';

interface BrokenRow {
  readonly name: string;
  /** The writer's mistake. */
  readonly sql: string;
  /** The row's name in the report. */
  readonly table: string;
  readonly row: string;
  readonly reason: RegExp;
  /** Remaining posts, of 6. */
  readonly posts: number;
  /** SQL that repairs the row. */
  readonly repair: string;
}

const BROKEN_UTF8 = "CAST(x'61c328' AS TEXT)";
const setPost = (column: string, value: string) =>
  `UPDATE posts SET ${column} = ${value} WHERE slug = 'second'`;

const ROWS: readonly BrokenRow[] = [
  ...[
    "'yesterday'",
    "'2024-02-30T10:00:00Z'",
    "'2024-05-01'",
    "'2024-05-01T25:00:00Z'",
    "'2024-05-01T10:00:00'",
    'NULL',
  ].map((date) => ({
    name: `the date ${date}`,
    sql: setPost('published_at', date),
    ...{ table: 'posts', row: 'second', reason: /date/, posts: 5 },
    repair: setPost('published_at', "'2024-06-02T12:00:00Z'"),
  })),
  {
    name: 'an empty slug',
    sql: setPost('slug', "''"),
    ...{ table: 'posts', row: '2', reason: /slug/, posts: 5 },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  },
  {
    name: 'a slug of spaces',
    sql: setPost('slug', "'   '"),
    ...{ table: 'posts', row: '2', reason: /slug/, posts: 5 },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  },
  ...["''", "' '"].map((title) => ({
    name: `the title ${title}`,
    sql: setPost('title', title),
    ...{ table: 'posts', row: 'second', reason: /title/, posts: 5 },
    repair: setPost('title', "'Repaired'"),
  })),
  ...(['category', 'author'] as const).map((what) => ({
    name: `an unknown ${what}`,
    sql: setPost(`${what}_id`, '77'),
    ...{ table: 'posts', row: 'second', reason: new RegExp(`${what} 77`), posts: 5 },
    repair: setPost(`${what}_id`, 'NULL'),
  })),
  ...['title', 'body', 'description', 'cover', 'meta_title', 'meta_description', 'url'].map((column) => ({
    name: `a ${column} that is not valid Unicode`,
    sql: setPost(column, BROKEN_UTF8),
    ...{ table: 'posts', row: 'second', reason: new RegExp(`${column}.*Unicode`), posts: 5 },
    repair: setPost(column, "'https://blog.example/repaired'"),
  })),
  ...['.', '..', 'a/b', '/', '../../../etc/passwd'].map((slug) => ({
    name: `the slug ${slug}`,
    sql: setPost('slug', `'${slug}'`),
    ...{
      table: 'posts',
      row: slug,
      reason: /slug: (it contains a slash|"\.+" has another meaning)/,
      posts: 5,
    },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  })),
  {
    name: 'a slug with a control character',
    sql: setPost('slug', "'a' || char(10) || 'b'"),
    ...{ table: 'posts', row: 'a\nb', reason: /slug: .*control characters/, posts: 5 },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  },
  {
    name: 'a slug of 1,001 characters',
    sql: setPost('slug', `'${'s'.repeat(1001)}'`),
    ...{ table: 'posts', row: 's'.repeat(1001), reason: /slug: .*1001.*1000/, posts: 5 },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  },
  {
    name: 'a body of more than 2 MB',
    sql: setPost('body', "replace(hex(zeroblob(1000000)), '0', 'x') || 'x'"),
    ...{ table: 'posts', row: 'second', reason: /body: .*2000001 bytes/, posts: 5 },
    repair: setPost('body', "'short'"),
  },
  ...(['slug', 'name'] as const).map((column) => ({
    name: `a tag with a ${column} of 201 characters`,
    sql: `UPDATE tags SET ${column} = '${'t'.repeat(201)}' WHERE id = 2`,
    ...{ table: 'tags', row: column === 'slug' ? 't'.repeat(201) : 'rust' },
    ...{ reason: new RegExp(`${column}: .*201.*200`), posts: 6 },
    repair: "UPDATE tags SET slug = 'rust', name = 'Rust' WHERE id = 2",
  })),
  {
    name: 'a tag with a control character',
    sql: "UPDATE tags SET name = 'Ru' || char(9) || 'st' WHERE id = 2",
    ...{ table: 'tags', row: 'rust', reason: /name: .*control characters/, posts: 6 },
    repair: "UPDATE tags SET name = 'Rust' WHERE id = 2",
  },
  {
    name: 'a category with a slug of 201 characters',
    sql: `UPDATE categories SET slug = '${'c'.repeat(201)}' WHERE id = 2`,
    ...{ table: 'categories', row: 'c'.repeat(201), reason: /slug: .*201.*200/, posts: 5 },
    repair: "UPDATE categories SET slug = 'essays' WHERE id = 2",
  },
  ...['..', 'a/b', 'u'.repeat(201)].map((username) => ({
    name: `the username ${username.slice(0, 5)}`,
    sql: `UPDATE authors SET username = '${username}' WHERE id = 2`,
    ...{ table: 'authors', row: username, reason: /username: /, posts: 5 },
    repair: "UPDATE authors SET username = 'bob' WHERE id = 2",
  })),
  {
    name: 'a slug that is not valid Unicode',
    sql: setPost('slug', BROKEN_UTF8),
    ...{ table: 'posts', row: 'a\ufffd(', reason: /slug.*Unicode/, posts: 5 },
    repair: "UPDATE posts SET slug = 'second' WHERE id = 2",
  },
  {
    name: 'a link to a tag that is not there',
    sql: 'INSERT INTO post_tags (post_id, tag_id) VALUES (2, 88)',
    ...{ table: 'post_tags', row: '2/88', reason: /tag 88/, posts: 6 },
    repair: 'DELETE FROM post_tags WHERE tag_id = 88',
  },
  {
    name: 'a tag that is not valid Unicode',
    sql: `UPDATE tags SET name = ${BROKEN_UTF8} WHERE slug = 'rust'`,
    ...{ table: 'tags', row: 'rust', reason: /Unicode/, posts: 6 },
    repair: "UPDATE tags SET name = 'Rust' WHERE slug = 'rust'",
  },
  {
    name: 'a category that is not valid Unicode',
    sql: `UPDATE categories SET name = ${BROKEN_UTF8} WHERE slug = 'essays'`,
    ...{ table: 'categories', row: 'essays', reason: /Unicode/, posts: 5 },
    repair: "UPDATE categories SET name = 'Essays' WHERE slug = 'essays'",
  },
  {
    name: 'an author that is not valid Unicode',
    sql: `UPDATE authors SET name = ${BROKEN_UTF8} WHERE username = 'bob'`,
    ...{ table: 'authors', row: 'bob', reason: /Unicode/, posts: 5 },
    repair: "UPDATE authors SET name = 'Bob' WHERE username = 'bob'",
  },
  {
    name: 'a tag without a slug',
    sql: "UPDATE tags SET slug = '' WHERE slug = 'rust'",
    ...{ table: 'tags', row: '2', reason: /slug/, posts: 6 },
    repair: "UPDATE tags SET slug = 'rust' WHERE id = 2",
  },
];

const folder = folderUntil(afterAll);
const whole = join(folder, 'whole.db');
beforeAll(() => writeValidBlog(whole));

function copyOfBlog(name: string) {
  const [db, out] = [join(folder, `${name}.db`), join(folder, `${name}-out`)];
  copyFileSync(whole, db);
  return { db, out };
}

describe('a row that cannot be exported is left out and named:', () => {
  test.each(ROWS.map((row, number) => ({ ...row, number })))(
    '$name',
    async ({ number, sql, table, row, reason, posts, repair }) => {
      const { db, out } = copyOfBlog(`row-${number}`);
      withoutConstraints(db, sql);

      const report = await publish(db, out);
      const named = report.skipped.filter((skipped) => skipped.table === table);
      expect(named).toEqual([{ table, row, reason: expect.stringMatching(reason) }]);
      expect(report.posts).toBe(posts);
      expect(pointerOf(out).posts).toBe(posts);
      expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);

      const before = pointerFile(out);
      await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be exported[^]*--strict/);
      withoutConstraints(db, "UPDATE posts SET title = 'Another' WHERE id = 1");
      await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be exported[^]*--strict/);
      expectUntouched(out, before);

      editing(db, (blog) => blog.exec(repair));
      expect(await publish(db, out, { strict: true })).toMatchObject({ posts: 6, skipped: [] });
      expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);
    },
  );
});

describe('a text that is too long and can be cut', () => {
  const CUTS = [
    ['title', 1000],
    ['description', 5000],
    ['meta_title', 5000],
    ['meta_description', 5000],
  ] as const;

  test.each(CUTS)(
    '%s is cut and named in every build, and the article is published',
    async (column, most) => {
      const { db, out } = copyOfBlog(`cut-${column}`);
      // Wide letters, and a surrogate pair at the place of the cut.
      withoutConstraints(db, setPost(column, `'${'\u{1f980}'.repeat(most + 1)}'`));
      const expected = [{ table: 'posts', row: 'second', reason: expect.stringContaining(`${most + 1}`) }];
      for (const title of ['First', 'First again']) {
        withoutConstraints(db, `UPDATE posts SET title = '${title}' WHERE id = 1`);
        const report = await publish(db, out, { strict: true });
        expect(report).toMatchObject({ posts: 6, skipped: [], cut: expected });
      }
      const { summaries, details } = readPublished(out);
      const shown = JSON.stringify([summaries, details]);
      expect(shown).toContain(`"${'\u{1f980}'.repeat(most - 1)}\u2026"`);
      expect(shown).not.toContain('\u{1f980}'.repeat(most));

      withoutConstraints(db, setPost(column, `'${'\u{1f980}'.repeat(most)}'`));
      expect(await publish(db, out)).toMatchObject({ cut: [] });
    },
  );

  test.each(['cover', 'url'])('an invalid address (%s) is omitted and named', async (column) => {
    const { db, out } = copyOfBlog(`address-${column}`);
    withoutConstraints(db, setPost(column, `'https://blog.example/${'a'.repeat(1980)}'`));
    const report = await publish(db, out);
    expect(report).toMatchObject({
      posts: 6,
      cut: [{ row: 'second', reason: expect.stringMatching(column) }],
    });
    expect(JSON.stringify(readPublished(out))).not.toContain('aaaa');
  });
});

test('an article that is too expensive to sanitise is left out and named', async () => {
  const { db, out } = copyOfBlog('complex');
  withoutConstraints(db, setPost('body', `'${'<div>'.repeat(201)}'`));
  const reason = expect.stringMatching(/body has more than 200 levels of nested elements/);
  expect(await publish(db, out)).toMatchObject({
    posts: 5,
    skipped: [{ table: 'posts', row: 'second', reason }],
  });
  await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be exported[^]*--strict/);
  const { details } = readPublished(out);
  expect(details).toHaveLength(5);
  withoutConstraints(db, setPost('body', "'<p>a</p>'"));
  expect(await publish(db, out, { strict: true })).toMatchObject({ posts: 6, skipped: [] });
});

describe('the command line', () => {
  test('names every row on standard error, in every build', async () => {
    const { db, out } = copyOfBlog('named');
    withoutConstraints(
      db,
      "UPDATE posts SET title = '' WHERE slug = 'third'; UPDATE posts SET published_at = 'soon' WHERE id = 4",
    );
    withoutConstraints(db, 'INSERT INTO post_tags (post_id, tag_id) VALUES (1, 88)');
    for (const sql of ['SELECT 1', "UPDATE posts SET title = 'Another' WHERE id = 1", 'SELECT 1']) {
      withoutConstraints(db, sql);
      const { code, stderr } = await offprintInProcess(['build', '--db', db, '--out', out]);
      expect(code, stderr).toBe(0);
      expect(messagesOf(stderr).sort()).toEqual([
        expect.stringMatching(/^left out post_tags "1\/88": .*tag 88/),
        expect.stringMatching(/^left out posts "fourth": .*date/),
        expect.stringMatching(/^left out posts "third": .*title/),
      ]);
    }
    const { stdout } = await offprintInProcess(['build', '--db', db, '--out', out, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ posts: 4, skipped: [{}, {}, {}] });
  });

  test('with --strict exits with 1, names the rows, and publishes nothing', async () => {
    const { db, out } = copyOfBlog('strict');
    withoutConstraints(db, "UPDATE posts SET title = '' WHERE slug = 'third'");
    const outcome = await offprintInProcess(['build', '--db', db, '--out', out, '--strict']);
    expect(expectOneLine(outcome)).toContain('--strict');
    expect(outcome.stderr).toContain('left out posts "third"');
    expect(() => pointerOf(out)).toThrow(/ENOENT/);
  });
});

/** Without the constraints of Offprint's schema. */
function withoutConstraints(path: string, sql: string): void {
  editing(path, (db) => {
    db.pragma('ignore_check_constraints = ON');
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
  });
}

function writeValidBlog(path: string): void {
  writeEmptyBlog(path);
  editing(path, (db) => {
    db.exec(`
      INSERT INTO tags (slug, name) VALUES ('go', 'Go'), ('rust', 'Rust');
      INSERT INTO categories (slug, name) VALUES ('news', 'News'), ('essays', 'Essays');
      INSERT INTO authors (username, name) VALUES ('ada', 'Ada'), ('bob', 'Bob');`);
    insertPost(db, { slug: 'first', tags: ['go'], category: 'news', author: 'ada' });
    insertPost(db, { slug: 'second', tags: ['rust', 'go'], category: 'essays', author: 'bob', views: 3 });
    for (const slug of ['third', 'fourth', 'fifth', 'sixth']) {
      insertPost(db, { slug, tags: ['rust'], category: 'news', author: 'ada' });
    }
    db.pragma('journal_mode = DELETE');
  });
}
