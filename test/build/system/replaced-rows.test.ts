import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { editing, NOW, publish, shortBlog, writeTwoOfEach } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

/**
 * Writers that bypass the triggers: SQLite runs none for a replaced row, and the sqlite3 shell does not check
 * foreign keys. Random edits rarely do this, so each case has a test.
 */
const REPLACEMENTS: readonly (readonly [string, string])[] = [
  ['a tag, by another of its slug', "REPLACE INTO tags (slug, name) VALUES ('go', 'Golang')"],
  ['a tag, by another that takes its slug', "UPDATE OR REPLACE tags SET slug = 'go' WHERE slug = 'rust'"],
  ['a tag, by itself', "REPLACE INTO tags (id, slug, name) VALUES (1, 'go', 'Golang')"],
  ['a tag, by another of its id', "REPLACE INTO tags (id, slug, name) VALUES (1, 'zig', 'Zig')"],
  ['a category, by another of its slug', "REPLACE INTO categories (slug, name) VALUES ('news', 'Notes')"],
  [
    'a category, by another that takes its slug',
    "UPDATE OR REPLACE categories SET slug = 'news' WHERE slug = 'essays'",
  ],
  [
    'an author, by another of the same name',
    "REPLACE INTO authors (username, name) VALUES ('ada', 'Another Ada')",
  ],
  ['an author, by itself', "REPLACE INTO authors (id, username, name) VALUES (1, 'ada', 'Another Ada')"],
  [
    'a post, by another of its slug',
    "REPLACE INTO posts (slug, title, status, published_at) VALUES ('a', 'B', 'published', '2024-01-01T00:00:00Z')",
  ],
  ['a post, by another that takes its slug', "UPDATE OR REPLACE posts SET slug = 'a' WHERE slug = 'b'"],
  ['the tags of a post', 'UPDATE OR REPLACE post_tags SET post_id = 2 WHERE post_id = 1'],
  ['the site', "REPLACE INTO site (id, url) VALUES (1, 'https://other.example')"],
];

describe('a row is replaced', () => {
  test.each(
    REPLACEMENTS.flatMap(([name, sql]) => [
      { name: `${name}, foreign keys unchecked`, sql, pragma: 'foreign_keys = OFF' },
      { name, sql, pragma: 'foreign_keys = ON' },
    ]),
  )('$name', async ({ sql, pragma }) => {
    const { db, out, fresh } = blogPaths();
    writeTwoOfEach(db, ['a', 'b', 'c']);
    await publish(db, out);
    editing(db, (blog) => {
      blog.pragma(pragma);
      blog.exec(sql);
    });
    await publish(db, out, { force: true });
    await publish(db, fresh);
    expect(differences(out, fresh)).toEqual([]);
    expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);
  });
});

/** The table of articles is in shards, which are made again only if their articles changed. */
test('a tag is replaced in a blog of more than 2,048 articles', async () => {
  const { db, out, fresh } = blogPaths();
  shortBlog(db, 2200, 5);
  await publish(db, out);
  const inUse = 'SELECT slug FROM tags JOIN post_tags ON tag_id = tags.id LIMIT 1';
  editing(db, (blog) => {
    blog.pragma('foreign_keys = OFF');
    blog.exec(`REPLACE INTO tags (slug, name) VALUES ((${inUse}), 'Another')`);
  });
  await publish(db, out);
  await publish(db, fresh);
  expect(differences(out, fresh)).toEqual([]);
});

describe('a row is replaced, then an earlier backup is restored and edited', () => {
  test.each(REPLACEMENTS.map(([name, sql]) => ({ name, sql })))('$name', async ({ sql }) => {
    const { folder, db, out, fresh } = blogPaths();
    const backup = join(folder, 'backup.db');
    writeTwoOfEach(db, ['a', 'b', 'c']);
    copyFileSync(db, backup);
    await publish(db, out);
    editing(db, (blog) => {
      blog.pragma('foreign_keys = OFF');
      blog.exec(sql);
    });
    await publish(db, out, { force: true });
    const replaced = revisionOf(db);
    for (const end of ['', '-wal', '-shm']) rmSync(db + end, { force: true });
    copyFileSync(backup, db);
    // Revisions rise by random steps, so they eventually exceed those of the lost state.
    while (revisionOf(db) <= replaced) {
      editing(db, (blog) => blog.exec("UPDATE posts SET source = 'again' WHERE slug = 'b'"));
    }
    await publish(db, out, { force: true });
    await publish(db, fresh);
    expect(differences(out, fresh)).toEqual([]);
  });
});

function revisionOf(path: string): number {
  return editing(path, (blog) => blog.prepare<[], number>('SELECT content FROM revision').pluck().get() ?? 0);
}
