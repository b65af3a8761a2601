import { beforeEach, afterEach, expect, test } from 'vitest';
import { type BlogDatabase, openForWriting } from '../../data/database.ts';
import { restorePost, withdrawPost } from '../../data/withdrawals.ts';

let db: BlogDatabase;

beforeEach(() => {
  db = openForWriting(':memory:');
  db.exec(`
    INSERT INTO posts (slug, title, status, published_at) VALUES
      ('one', 'One', 'published', '2026-01-01T00:00:00Z'),
      ('two', 'Two', 'published', '2026-01-02T00:00:00Z'),
      ('draft', 'Draft', 'draft', NULL),
      ('later', 'Later', 'scheduled', '2099-01-01T00:00:00Z'),
      ('/moved/5', 'Not public', 'published', '2026-01-01T00:00:00Z');
  `);
});

afterEach(() => db.close());

function former(): Record<string, number> {
  const rows = db.prepare<[], [string, number]>('SELECT slug, post_id FROM former_slugs ORDER BY slug').raw();
  return Object.fromEntries(rows.all());
}

function rename(from: string, to: string): void {
  db.prepare('UPDATE posts SET slug = ? WHERE slug = ?').run(to, from);
}

test('the slugs of public posts are remembered, and no others', () => {
  for (const slug of ['one', 'draft', 'later', '/moved/5']) rename(slug, `${slug.replaceAll('/', '')}-new`);
  expect(former()).toEqual({ one: 1 });
  rename('one-new', 'one-newer');
  expect(former()).toEqual({ one: 1, 'one-new': 1 });
});

test('a slug that two posts had leads to the last one', () => {
  rename('one', 'uno');
  rename('two', 'one');
  rename('one', 'dos');
  expect(former()).toEqual({ one: 2, two: 2 });
});

test('a post that changes its slug as a draft was public under the earlier one', () => {
  db.exec("UPDATE posts SET status = 'draft' WHERE id = 1");
  rename('one', 'never-public');
  rename('never-public', 'uno');
  db.exec("UPDATE posts SET status = 'published' WHERE id = 1");
  expect(former()).toEqual({ one: 1 });
});

test('REPLACE remembers the slug of the replaced row', () => {
  const insert = 'REPLACE INTO posts (id, slug, title, status, published_at) VALUES';
  db.exec(`${insert} (1, 'uno', 'One', 'draft', '2026-01-01T00:00:00Z')`);
  db.exec(`${insert} (1, 'one-again', 'One', 'published', '2026-01-01T00:00:00Z')`);
  db.exec(`${insert} (4, 'soon', 'Later', 'scheduled', '2099-01-01T00:00:00Z')`);
  expect(former()).toEqual({ one: 1 });
});

test('UPDATE OR IGNORE and an upsert remember it too', () => {
  rename('one', 'uno');
  rename('two', 'one');
  db.exec("UPDATE OR IGNORE posts SET slug = 'dos' WHERE slug = 'one'");
  db.exec(
    "INSERT INTO posts (id, slug, title) VALUES (1, 'x', 'X') ON CONFLICT (id) DO UPDATE SET slug = 'eins'",
  );
  expect(former()).toEqual({ one: 2, two: 2, uno: 1 });
});

test('a withdrawn post leaves no slug, also if another program publishes it again', () => {
  withdrawPost(db, 'one', new Date());
  rename('one', 'uno');
  db.exec("UPDATE posts SET status = 'published' WHERE id = 1");
  rename('uno', 'eins');
  expect(former()).toEqual({});
  restorePost(db, 'one');
  rename('eins', 'one');
  expect(former()).toEqual({ eins: 1 });
});

test('a deleted post takes its former slugs with it', () => {
  rename('one', 'uno');
  db.exec('DELETE FROM posts WHERE id = 1');
  expect(former()).toEqual({});
});

test('a change of former slugs by hand raises the revision of their posts', () => {
  const revisions = () =>
    db.prepare<[], number>('SELECT revision FROM posts WHERE id IN (1, 2) ORDER BY id').pluck().all();
  const changed = (sql: string) => {
    const before = revisions();
    db.exec(sql);
    return revisions().map((revision, i) => revision > (before[i] ?? 0));
  };
  expect(changed("INSERT INTO former_slugs VALUES ('old', 1)")).toEqual([true, false]);
  expect(changed("UPDATE former_slugs SET post_id = 2 WHERE slug = 'old'")).toEqual([true, true]);
  expect(changed("DELETE FROM former_slugs WHERE slug = 'old'")).toEqual([false, true]);
});
