import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BlogDatabase, openForeign, openForReading, openForWriting } from '../../data/database.ts';

let folder: string;
let db: BlogDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'offprint-schema-'));
  db = openForWriting(join(folder, 'blog.db'));
  db.exec(`
    INSERT INTO authors (username, name) VALUES ('ada', 'Ada'), ('bob', 'Bob');
    INSERT INTO categories (slug, name) VALUES ('news', 'News'), ('notes', 'Notes');
    INSERT INTO tags (slug, name) VALUES ('sql', 'SQL');
    INSERT INTO posts (slug, title, status, published_at, author_id, category_id)
      VALUES ('a', 'A', 'published', '2026-01-01T00:00:00Z', 1, 1), ('b', 'B', 'draft', NULL, NULL, NULL);
    INSERT INTO post_tags (post_id, tag_id) VALUES (1, 1);
  `);
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function revisionOf(slug: string): number {
  return db.prepare<[string], number>('SELECT revision FROM posts WHERE slug = ?').pluck().get(slug) ?? 0;
}

function counters(): { content: number; views: number } {
  return (
    db.prepare<[], { content: number; views: number }>('SELECT content, views FROM revision').get() ?? {
      content: 0,
      views: 0,
    }
  );
}

describe('revision', () => {
  /** A new value for each column of posts. Add new columns here and to the trigger. */
  const EDITS: Record<string, string> = {
    id: '100',
    slug: "'renamed'",
    title: "'Edited'",
    description: "'Edited'",
    cover: "'/edited.jpg'",
    meta_title: "'Edited'",
    meta_description: "'Edited'",
    category_id: '2',
    author_id: '2',
    status: "'archived'",
    published_at: "'2026-01-02T00:00:00Z'",
    expires_at: "'2027-01-02T00:00:00Z'",
    updated_at: "'2026-01-03T00:00:00Z'",
    url: "'/edited'",
    source: "'edited'",
    body: "'<p>Edited</p>'",
  };

  test('rises with an edit of any column but views', () => {
    const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('posts')").pluck().all();
    expect(columns.filter((name) => name !== 'views' && name !== 'revision').sort()).toEqual(
      Object.keys(EDITS).sort(),
    );
    db.exec('DELETE FROM post_tags'); // So that the id may change.
    for (const [column, value] of Object.entries(EDITS)) {
      const before = counters().content;
      db.exec(`UPDATE posts SET ${column} = ${value} WHERE title IN ('A', 'Edited')`);
      const revision = db
        .prepare<[], number>("SELECT revision FROM posts WHERE title IN ('A', 'Edited')")
        .pluck()
        .get();
      expect(revision, column).toBeGreaterThan(before);
    }
  });

  test('does not change with views, which have their own counter', () => {
    const [revision, before] = [revisionOf('a'), counters()];
    db.exec('UPDATE posts SET views = views + 1');
    expect(revisionOf('a')).toBe(revision);
    expect(counters().content).toBe(before.content);
    expect(counters().views).toBeGreaterThan(before.views);
    db.exec('UPDATE posts SET views = views');
    expect(counters().content).toBe(before.content);
  });

  test.each([
    ['its category', "UPDATE categories SET name = 'Novelties' WHERE slug = 'news'"],
    ['its author', "UPDATE authors SET name = 'Ada L.' WHERE username = 'ada'"],
    ['a tag', "UPDATE tags SET name = 'Structured' WHERE slug = 'sql'"],
    ['its tags', 'DELETE FROM post_tags'],
    ['the loss of its category', "DELETE FROM categories WHERE slug = 'news'"],
    ['the loss of its author', "DELETE FROM authors WHERE username = 'ada'"],
    ['the loss of a tag', "DELETE FROM tags WHERE slug = 'sql'"],
  ])('rises with a change of %s, and not for other posts', (_, sql) => {
    const [a, b] = [revisionOf('a'), revisionOf('b')];
    db.exec(sql);
    expect(revisionOf('a')).toBeGreaterThan(a);
    expect(revisionOf('b')).toBe(b);
  });

  test('cannot be set by a writer', () => {
    for (const table of ['posts', 'authors', 'categories', 'tags']) {
      expect(() => db.exec(`UPDATE ${table} SET revision = 5`), table).toThrow('set by triggers alone');
    }
    db.exec("INSERT INTO posts (slug, title, revision) VALUES ('c', 'C', 5)");
    expect(revisionOf('c')).toBe(counters().content);
  });

  test('rises with a deletion, and is never the same in another history', () => {
    const before = counters().content;
    db.exec("DELETE FROM posts WHERE slug = 'b'");
    expect(counters().content).toBeGreaterThan(before);
    const steps = Array.from({ length: 20 }, () => {
      const from = counters().content;
      db.exec("UPDATE posts SET title = 'A' WHERE slug = 'a'");
      return counters().content - from;
    });
    expect(new Set(steps).size).toBeGreaterThan(10);
  });
});

describe('constraints', () => {
  const post = (values: string) => `INSERT INTO posts (slug, title, status, published_at) VALUES (${values})`;

  test.each([
    ['a blank slug', post("' ', 'T', 'draft', NULL")],
    ['a slug twice', post("'a', 'T', 'draft', NULL")],
    ['a blank title', post("'t', ' ', 'draft', NULL")],
    ['an unknown status', post("'t', 'T', 'public', NULL")],
    ['a published post without a date', post("'t', 'T', 'published', NULL")],
    ['a date without an offset', post("'t', 'T', 'published', '2026-01-01T00:00:00'")],
    ['a day that does not exist', post("'t', 'T', 'published', '2026-02-30T00:00:00Z'")],
    ['an invalid date', post("'t', 'T', 'published', 'tomorrow'")],
    ['a time of change that does not exist', "UPDATE posts SET updated_at = '2026-02-30T00:00:00Z'"],
    ['negative views', "UPDATE posts SET views = -1 WHERE slug = 'a'"],
    ['an unknown category', "UPDATE posts SET category_id = 99 WHERE slug = 'a'"],
    ['an unknown tag', 'INSERT INTO post_tags (post_id, tag_id) VALUES (1, 99)'],
    ['an account with the plan of addresses', "INSERT INTO accounts (name, plan) VALUES ('eve', 'address')"],
    ['a site without a scheme', "UPDATE site SET url = 'blog.example'"],
    ['a site without its row', 'DELETE FROM site'],
  ])('reject %s', (_, sql) => {
    expect(() => db.exec(sql)).toThrow();
  });
});

test('the address of a database server is rejected without printing its password, and no folder is created', () => {
  const address = 'mysql://blog:secret@db.example/blog';
  for (const open of [openForWriting, openForReading, openForeign]) {
    expect(() => open(address)).toThrow(/mysql: is a database server, which Offprint cannot read/);
    expect(() => open(address)).not.toThrow(/secret/);
  }
  expect(existsSync('mysql:')).toBe(false);
});
