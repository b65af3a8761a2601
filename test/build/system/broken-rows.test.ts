import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesOf } from '../offprint-process.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { pointerOf } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { editing, NOW, publish, writeTwoOfEach } from '../publishing.ts';
import { expanded, textCases } from '../../text-cases.ts';
import { folderUntil } from '../temporary-folder.ts';
import { expectOneLine, expectUntouched, pointerFile } from '../untouched.ts';

const setPost = (column: string, value: string) =>
  `UPDATE posts SET ${column} = ${value} WHERE slug = 'second'`;

/** The mistakes of writers in broken-rows.txt. */
const ROWS = [...textCases(new URL('../broken-rows.txt', import.meta.url)).values()]
  .flat()
  .flatMap((fields) => {
    const [columns = [], values = [], [row = ''] = [], [reason = ''] = []] = fields.map(expanded);
    return columns.flatMap((name) => {
      const [table = '', column = ''] = name.split('.');
      return values.map((value) => ({
        table,
        column,
        value,
        row,
        reason: new RegExp(reason.replace('COLUMN', column)),
        name: `${name} = ${value.slice(0, 40)}`,
      }));
    });
  });

const folder = folderUntil(afterAll);
const whole = join(folder, 'whole.db');
beforeAll(() => writeTwoOfEach(whole, ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']));

function copyOfBlog(name: string) {
  const [db, out] = [join(folder, `${name}.db`), join(folder, `${name}-out`)];
  copyFileSync(whole, db);
  return { db, out };
}

describe('a row that cannot be published is left out and named:', () => {
  test.each(ROWS.map((row, number) => ({ ...row, number })))(
    '$name',
    async ({ number, table, column, value, row, reason }) => {
      const { db, out } = copyOfBlog(`row-${number}`);
      const where = table === 'post_tags' ? 'post_id = 2 AND tag_id IN (2, 88)' : 'id = 2';
      withoutConstraints(db, `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`);

      const report = await publish(db, out);
      const named = report.skipped.filter((skipped) => skipped.table === table);
      expect(named).toEqual([{ table, row, reason: expect.stringMatching(reason) }]);
      const posts = table === 'tags' || table === 'post_tags' ? 6 : 5;
      expect([report.posts, pointerOf(out).posts]).toEqual([posts, posts]);
      expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);

      const before = pointerFile(out);
      await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be published[^]*--strict/);
      withoutConstraints(db, "UPDATE posts SET title = 'Another' WHERE id = 1");
      await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be published[^]*--strict/);
      expectUntouched(out, before);

      const right = table === 'post_tags' ? '2' : `(SELECT ${column} FROM whole.${table} WHERE id = 2)`;
      editing(db, (blog) => {
        blog.prepare('ATTACH ? AS whole').run(whole);
        blog.exec(`UPDATE ${table} SET ${column} = ${right} WHERE ${where}`);
      });
      expect(await publish(db, out, { strict: true })).toMatchObject({ posts: 6, skipped: [] });
      expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);
    },
  );

  test('the file has all of them', () => expect(ROWS.length).toBeGreaterThan(35));
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
    expect(JSON.stringify(readPublished(out))).not.toContain('a'.repeat(40));
  });
});

test('views that JSON cannot hold are named in every build, also where they alone changed', async () => {
  const { db, out } = copyOfBlog('views');
  for (const [views, shown] of [
    ['9007199254740990', []],
    ['9007199254740993', [{ table: 'posts', row: 'second', reason: expect.stringContaining('views') }]],
    ['9223372036854775807', [{ table: 'posts', row: 'second', reason: expect.stringContaining('views') }]],
  ] as const) {
    withoutConstraints(db, setPost('views', views));
    expect(await publish(db, out, { strict: true })).toMatchObject({ posts: 6, skipped: [], cut: shown });
  }
});

test('an article that is too expensive to sanitise is left out and named', async () => {
  const { db, out } = copyOfBlog('complex');
  withoutConstraints(db, setPost('body', `'${'<div>'.repeat(201)}'`));
  const reason = expect.stringMatching(/body has more than 200 levels of nested elements/);
  expect(await publish(db, out)).toMatchObject({
    posts: 5,
    skipped: [{ table: 'posts', row: 'second', reason }],
  });
  await expect(publish(db, out, { strict: true })).rejects.toThrow(/cannot be published[^]*--strict/);
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
