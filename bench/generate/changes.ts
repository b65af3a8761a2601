import type { BlogDatabase } from '../../data/database.ts';
import { END, timestamp } from './calendar.ts';
import { postInserter } from './insert-post.ts';
import { postMaker } from './post.ts';
import { Random } from './random.ts';

/**
 * Everyday changes to a blog, for benchmarks. Each depends only on its number and the database, and is one
 * transaction.
 */

/** New posts are numbered from here, so they differ from all generated ones. */
const FIRST_NEW = 2 ** 31;

/**
 * Publishes the `n`th new post (from 0), with at least one tag and without views. It is the newest of the blog: each is
 * published a second after the one before. Returns its slug.
 */
export function publishOne(db: BlogDatabase, n: number): string {
  return db.transaction(() => {
    const size = { posts: count(db, 'posts'), ...taxonomyOf(db) };
    const post = postMaker(size, 0)(FIRST_NEW + n);
    const slug = `${post.slug}-new-${n + 1}`;
    postInserter(db)({
      ...post,
      slug,
      views: 0,
      status: 'published',
      publishedAt: timestamp(END + n, 'Z'),
      tagIds: post.tagIds.length > 0 ? post.tagIds : [1],
    });
    return slug;
  })();
}

/** Adds a paragraph to the body of one published post, a different post for each `n`. Returns its slug. */
export function editOneBody(db: BlogDatabase, n: number): string {
  return db.transaction(() => {
    const published = db
      .prepare<[], number>("SELECT count(*) FROM posts WHERE status = 'published'")
      .pluck()
      .get();
    const post = db
      .prepare<[number], { id: number; slug: string }>(
        "SELECT id, slug FROM posts WHERE status = 'published' ORDER BY published_unix, slug LIMIT 1 OFFSET ?",
      )
      .get(new Random(n, 401).below(published ?? 0));
    if (post === undefined) throw new RangeError('The blog has no published post to edit.');
    db.prepare('UPDATE posts SET body = body || ? WHERE id = ?').run(`\n<p>Edit ${n}.</p>`, post.id);
    return post.slug;
  })();
}

/** Adds 1 to 7 views to each post, different numbers for each `n`, so the order by views changes too. */
export function bumpAllViews(db: BlogDatabase, n: number): void {
  db.prepare('UPDATE posts SET views = views + 1 + (id * 31 + ? * 17) % 7').run(n);
}

/**
 * Appends `[generation 5]` to each post's title and body, replacing an earlier generation. A reader must see the
 * same number everywhere; otherwise it has seen half a change.
 */
export function touchEveryPost(db: BlogDatabase, generation: number): void {
  const mark = `[generation ${generation}]`;
  const without = (column: string, start: string) =>
    `CASE instr(${column}, '${start}') WHEN 0 THEN ${column}
      ELSE substr(${column}, 1, instr(${column}, '${start}') - 1) END`;
  db.prepare(
    `UPDATE posts SET title = ${without('title', ' [generation ')} || ?,
      body = ${without('body', '\n<p>[generation ')} || ?`,
  ).run(` ${mark}`, `\n<p>${mark}</p>`);
}

function taxonomyOf(db: BlogDatabase): { categories: number; tags: number; authors: number } {
  return { categories: count(db, 'categories'), tags: count(db, 'tags'), authors: count(db, 'authors') };
}

function count(db: BlogDatabase, table: 'posts' | 'categories' | 'tags' | 'authors'): number {
  return db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
}
