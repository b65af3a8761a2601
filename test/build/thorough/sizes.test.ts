/** Posts that are added at the sizes where the parts of a snapshot change: the snapshot is that of a fresh build. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shardCount } from '../../../contract/name-table.ts';
import { PACKED_POSTS, PAGE_SIZE } from '../../../contract/snapshot.ts';
import { writeNames } from '../../../build/snapshot/names.ts';
import { MemoryObjects } from '../../../build/snapshot/memory-objects.ts';
import type { BlogDatabase } from '../../../data/database.ts';
import { insertPost } from '../../service/odd-blog.ts';
import { differences, directoryOf, objectsIn } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { editing, NOW, publish } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function place() {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  let fresh = 0;
  const edit = async (change: (blog: BlogDatabase) => void) => {
    editing(db, (blog) => blog.transaction(() => change(blog))());
    await publish(db, out);
  };
  return {
    db,
    out,
    edit,
    /** Edits the blog, and returns how its next snapshot differs from that of a fresh build. */
    async after(change: (blog: BlogDatabase) => void): Promise<string[]> {
      await edit(change);
      const other = join(folder, `fresh-${++fresh}`);
      const { objects } = await publish(db, other);
      const all = objectsIn(other).length;
      expect(objects).toMatchObject({ total: all, written: all });
      return differences(out, other);
    },
  };
}

/** Adds posts, each newer than the last; up to the 40th, two of three have views. */
function fill(blog: BlogDatabase, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const time = new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString();
    const publishedAt = `${time.slice(0, 19)}Z`;
    insertPost(blog, { slug: `post-${i}`, publishedAt, views: i < 40 ? i % 3 : 0 });
  }
}

/** In format 4, each position took one more digit from the 58th post on. */
test('each added post gives the snapshot of a fresh build', async () => {
  const { after, edit, out } = place();
  let posts = 0;
  for (const limit of [1, PAGE_SIZE, 57, 250, PACKED_POSTS]) {
    await edit((blog) => fill(blog, posts, limit - 1));
    for (posts = limit; posts <= limit + 1; posts++) {
      expect(await after((blog) => fill(blog, posts - 1, posts)), `${posts} posts`).toEqual([]);
      const viewed = Math.floor((Math.min(posts, 40) * 2) / 3);
      expect(directoryOf(out)).toMatchObject({ posts, viewed });
    }
    posts = limit + 1;
  }
});

/** A table has a shard for each 256 names, and at 16 shards the shard of a name takes one more bit. */
test('a name table that grows or shrinks across 16 shards is that of a fresh build', async () => {
  const { after, edit, out } = place();
  const shards = () => {
    const { post } = directoryOf(out).names;
    return 'shards' in post ? post.shards.length : 0;
  };
  await edit((blog) => fill(blog, 0, 4096));
  expect(shards()).toBe(16);
  expect(await after((blog) => fill(blog, 4096, 4097))).toEqual([]);
  expect(shards()).toBe(17);
  expect(await after((blog) => blog.exec("DELETE FROM posts WHERE slug = 'post-7'"))).toEqual([]);
  expect(shards()).toBe(16);
});

test('posts of one second, and names with as many posts, are in the order of their bytes', async () => {
  const { db, after, edit, out } = place();
  const add = (names: readonly string[]) => (blog: BlogDatabase) => {
    for (const name of names) {
      blog.prepare('INSERT INTO authors (name, username) VALUES (?, ?)').run(name, name);
      for (const table of ['categories', 'tags'])
        blog.prepare(`INSERT INTO ${table} (name, slug) VALUES (?, ?)`).run(name, name);
      insertPost(blog, { slug: name, views: 1, category: name, author: name, tags: [name] });
    }
  };
  await edit(add(['z', '\uFFFD']));
  // In UTF-16, the first one is the lower.
  expect(await after(add(['\u{1F4DA}', '\uFFFC']))).toEqual([]);
  expect(directoryOf(out).posts).toBe(4);
  expect(disagreements(readPublished(out), readPlainly(db, NOW))).toEqual([]);
});

test('many tags, of which some share a name: all objects are counted', async () => {
  const { after, out } = place();
  const tagPosts = (blog: BlogDatabase) => {
    const tags = Array.from({ length: 2100 }, (_, i) => `tag-${i}`);
    for (const [i, slug] of tags.entries())
      blog.prepare('INSERT INTO tags (name, slug) VALUES (?, ?)').run(`Name ${i % 1050}`, slug);
    for (let i = 0; i < 42; i++)
      insertPost(blog, { slug: `post-${i}`, tags: tags.slice(i * 50, i * 50 + 51) });
  };
  expect(await after(tagPosts)).toEqual([]);
  expect(directoryOf(out).names.with_tag).toHaveProperty('shards');
});

describe('a name table', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, i): [string, string] => [`name-${i}`, 'a'.repeat(26)]);

  test.each([
    [2048, 0],
    [2049, 9],
  ])('of up to 2,048 names is in the directory: %i', (count, shards) => {
    expect(shardCount(count)).toBe(shards);
    const table = writeNames(names(count), new MemoryObjects());
    expect('shards' in table ? table.shards.length : 0).toBe(shards);
  });
});
