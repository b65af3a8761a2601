/**
 * The search index after incremental builds equals that of a full build.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexedPosts } from '../../../contract/search/suffix-tree.ts';
import { differences, directoryOf } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

/** In this order. The index changes, except by what it does not have: bodies, and the newest posts. */
const EDITS: readonly (readonly [name: string, isChanged: boolean, sql: string])[] = [
  [
    'changed words',
    true,
    `UPDATE posts SET title = title || ' quokka, \u706f\u53f0' WHERE id IN (40, 700);
     UPDATE posts SET title = 'Nothing of before' WHERE id = 900;
     UPDATE posts SET description = NULL WHERE id = 1000`,
  ],
  ['a changed body', false, "UPDATE posts SET body = body || '<p>More.</p>' WHERE id = 40"],
  [
    'a new post',
    false,
    `INSERT INTO posts (slug, title, body, status, published_at)
     VALUES ('the-newest', 'The newest', '<p>New.</p>', 'published', '2026-01-01T00:00:00+00:00')`,
  ],
  ['a removed post', true, "UPDATE posts SET status = 'draft' WHERE id = 500"],
  [
    'posts that take the place of others, one that moves, and more than before',
    true,
    `INSERT INTO posts (slug, title, body, status, published_at)
       SELECT 'again-' || id, title || ' again', body, 'published', published_at FROM posts
       WHERE status = 'published' AND id % 20 = 3 LIMIT 10;
     INSERT INTO posts (slug, title, body, status, published_at)
       SELECT 'last-' || id, title, body, 'published', '2026-02-01T00:00:00+00:00' FROM posts
       WHERE status = 'published' LIMIT 180;
     UPDATE posts SET published_at = '2025-12-01T00:00:00+00:00' WHERE id = 20;
     UPDATE tags SET name = 'Quetzal ' || name WHERE id IN (SELECT tag_id FROM post_tags LIMIT 1)`,
  ],
];

test('is that of a full build after each edit', async () => {
  const { folder, db, out } = blogPaths();
  const suffixes = () => directoryOf(out).suffixes;
  shortBlog(db, 1600, 11);
  await publish(db, out);
  const indexed = indexedPosts(directoryOf(out).posts);
  expect(suffixes().length).toBeGreaterThan(4);
  for (const [name, isChanged, sql] of EDITS) {
    const before = suffixes();
    editing(db, (blog) => blog.exec(sql));
    await publish(db, out);
    if (isChanged) expect(suffixes(), name).not.toEqual(before);
    else expect(suffixes(), name).toEqual(before);
    const fresh = join(folder, name);
    await publish(db, fresh);
    expect(differences(out, fresh), name).toEqual([]);
  }
  expect(indexedPosts(directoryOf(out).posts)).toBeGreaterThan(indexed);
});
