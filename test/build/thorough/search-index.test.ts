/**
 * The search index after incremental builds equals that of a full build.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { indexedPosts } from '../../../contract/search/suffix-tree.ts';
import { differences, directoryOf } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { folderUntil } from '../temporary-folder.ts';

const folder = folderUntil(afterAll);
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
const POSTS = 1600;

const suffixes = () => directoryOf(out).suffixes.map(([, hash]) => hash);

async function expectEqualToFullBuild(name: string): Promise<void> {
  const whole = join(folder, name);
  await publish(db, whole);
  expect(differences(out, whole)).toEqual([]);
}

test('changed words, a changed body, a new post, a removed post', async () => {
  shortBlog(db, POSTS, 11);
  await publish(db, out);
  const first = suffixes();
  expect(first.length).toBeGreaterThan(4);

  editing(db, (blog) =>
    blog.exec(`
      UPDATE posts SET title = title || ' quokka, \u706f\u53f0' WHERE id IN (40, 700);
      UPDATE posts SET title = 'Nothing of before' WHERE id = 900;
      UPDATE posts SET description = NULL WHERE id = 1000;`),
  );
  await publish(db, out);
  const changed = suffixes();
  expect(changed.filter((hash) => !first.includes(hash)).length).toBeGreaterThan(0);
  await expectEqualToFullBuild('changed');

  editing(db, (blog) => blog.exec("UPDATE posts SET body = body || '<p>More.</p>' WHERE id = 40"));
  await publish(db, out);
  expect(suffixes()).toEqual(changed);

  const insert = `INSERT INTO posts (slug, title, body, status, published_at)
    VALUES ('the-newest', 'The newest', '<p>New.</p>', 'published', '2026-01-01T00:00:00+00:00')`;
  editing(db, (blog) => blog.exec(insert));
  await publish(db, out);
  expect(suffixes()).toEqual(changed);
  await expectEqualToFullBuild('appended');

  editing(db, (blog) => blog.exec("UPDATE posts SET status = 'draft' WHERE id = 500"));
  await publish(db, out);
  await expectEqualToFullBuild('gone');

  // In one build: others take their place, one moves, and the index grows.
  const [indexed, gone] = [indexedPosts(directoryOf(out).posts), suffixes()];
  editing(db, (blog) =>
    blog.exec(`
      INSERT INTO posts (slug, title, body, status, published_at)
        SELECT 'again-' || id, title || ' again', body, 'published', published_at FROM posts
        WHERE status = 'published' AND id % 20 = 3 LIMIT 10;
      INSERT INTO posts (slug, title, body, status, published_at)
        SELECT 'last-' || id, title, body, 'published', '2026-02-01T00:00:00+00:00' FROM posts
        WHERE status = 'published' LIMIT 180;
      UPDATE posts SET published_at = '2025-12-01T00:00:00+00:00' WHERE id = 20;
      UPDATE tags SET name = 'Quetzal ' || name WHERE id IN (SELECT tag_id FROM post_tags LIMIT 1);`),
  );
  await publish(db, out);
  expect(indexedPosts(directoryOf(out).posts)).toBeGreaterThan(indexed);
  expect(suffixes()).not.toEqual(gone);
  await expectEqualToFullBuild('moved');
});
