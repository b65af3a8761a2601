import { beforeAll, describe, expect, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { insertPost } from '../../service/odd-blog.ts';
import { builderIn } from './builder.ts';
import { usePlace } from './place.ts';

const place = usePlace();
const { build, change, filesOf } = builderIn(place);

describe('a build after a change', () => {
  beforeAll(async () => {
    generateBlog(place.path('generated.db'), { posts: 120, seed: 3 });
    await build('generated.db', 'kept');
  });

  const changes: readonly (readonly [what: string, sql: string])[] = [
    [
      'a title and a body',
      `UPDATE posts SET title = 'Another title' WHERE id = 30;
       UPDATE posts SET body = '<p>Another body</p>' WHERE id = 5`,
    ],
    ['a slug', "UPDATE posts SET slug = 'another-slug' WHERE id = 100"],
    ['a date', "UPDATE posts SET published_at = '2001-01-01T00:00:00Z' WHERE id = 150"],
    ['a post taken back', "UPDATE posts SET status = 'draft' WHERE id = 140"],
    ['a post published again', "UPDATE posts SET status = 'published' WHERE id = 140"],
    ['a post deleted', 'DELETE FROM posts WHERE id = 120'],
    [
      'names',
      `UPDATE categories SET name = 'Another name' WHERE id = 1;
       UPDATE tags SET name = 'Another tag' WHERE id = 1;
       UPDATE authors SET name = 'Another author' WHERE id = 1`,
    ],
    [
      'slugs and usernames',
      `UPDATE categories SET slug = 'another-category' WHERE id = 2;
       UPDATE tags SET slug = 'another-tag' WHERE id = 2;
       UPDATE authors SET username = 'another-author' WHERE id = 2`,
    ],
    ['a category deleted', 'DELETE FROM categories WHERE id = 3'],
    ['a tag deleted', 'DELETE FROM tags WHERE id = 2'],
    ['a tag taken off a post', 'DELETE FROM post_tags WHERE post_id = (SELECT max(post_id) FROM post_tags)'],
    ['an author deleted', 'DELETE FROM authors WHERE id = 1'],
    ['views', 'UPDATE posts SET views = views + id % 7'],
    ['the site', "UPDATE site SET url = 'https://moved.example', post_path = '/p/{slug}'"],
  ];

  test.each(changes)('equals the build into an empty folder: %s', async (_, sql) => {
    change('generated.db', (db) => {
      db.pragma('foreign_keys = ON');
      db.exec(sql);
    });
    const fresh = `fresh-${Math.random()}`;
    // With --force, because another address makes it another blog.
    const incremental = await build('generated.db', 'kept', '--force');
    const whole = await build('generated.db', fresh);
    expect(incremental.snapshot).toBe(whole.snapshot);
    expect(incremental.objects.total).toBe(whole.objects.total);
    const kept = filesOf('kept');
    for (const [path, bytes] of filesOf(fresh)) expect(kept.get(path), path).toBe(bytes);
  });

  test('writes a few dozen of many files for one new article', async () => {
    change('generated.db', (db) =>
      insertPost(db, { slug: 'brand-new', publishedAt: new Date().toISOString().slice(0, 19) + 'Z' }),
    );
    const { objects } = await build('generated.db', 'kept');
    expect(objects.total).toBeGreaterThan(200);
    expect(objects.written).toBeGreaterThan(0);
    expect(objects.written).toBeLessThanOrEqual(36);
  });

  test('writes few files if only views change', async () => {
    change('generated.db', (db) => db.exec('UPDATE posts SET views = views + 1'));
    const { objects } = await build('generated.db', 'kept');
    expect(objects.written).toBeGreaterThan(0);
    expect(objects.written).toBeLessThanOrEqual(12);
  });
});
