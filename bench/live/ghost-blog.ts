import { readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { generateBlog } from '../generate/blog.ts';

/** Ghost's tables, which the tests use too. */
const SCHEMA = readFileSync(new URL('../../test/live/ghost.sql', import.meta.url), 'utf8');

/**
 * Writes a generated blog of `posts` posts to `path` as Ghost stores it: each text in its three forms, drafts
 * included, and with a rollback journal.
 */
export function writeGhostBlog(path: string, posts: number): void {
  const generated = `${path}.generated`;
  generateBlog(generated, { posts, seed: 3 });
  const db = new Database(path);
  try {
    db.exec(SCHEMA);
    db.prepare('ATTACH ? AS generated').run(generated);
    db.exec(`
      BEGIN;
      INSERT INTO settings (id, "group", key, value, type, created_at)
      VALUES ('s1', 'site', 'title', 'Bench', 'string', '2020-01-01 00:00:00');
      INSERT INTO users (id, name, slug, password, email, created_at)
      SELECT 'u' || id, name, username, '', username || '@example.com', '2020-01-01 00:00:00' FROM generated.authors;
      INSERT INTO tags (id, name, slug, created_at)
      SELECT 't' || id, name, slug, '2020-01-01 00:00:00' FROM generated.tags;
      INSERT INTO posts (id, uuid, title, slug, lexical, html, plaintext, status, email_recipient_filter, created_at,
        updated_at, published_at)
      SELECT 'p' || id, 'p' || id, title, slug, json_object('root', json_object('html', body)), body, body,
        CASE status WHEN 'published' THEN 'published' ELSE 'draft' END, 'all', '2020-01-01 00:00:00',
        '2020-01-01 00:00:00', datetime(published_at)
      FROM generated.posts;
      INSERT INTO posts_authors (id, post_id, author_id)
      SELECT 'a' || id, 'p' || id, 'u' || author_id FROM generated.posts WHERE author_id IS NOT NULL;
      INSERT INTO posts_tags (id, post_id, tag_id, sort_order)
      SELECT 'p' || post_id || 't' || tag_id, 'p' || post_id, 't' || tag_id, place FROM generated.post_tags;
      COMMIT;
    `);
  } finally {
    db.close();
    rmSync(generated, { force: true });
  }
}
