import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bumpAllViews, editOneBody, publishOne } from '../../../bench/generate/changes.ts';
import type { BlogDatabase } from '../../../data/database.ts';
import { MOST_VIEWED } from '../../../contract/popularity.ts';
import { directoryOf, filesIn, namesOf, objectsIn, positionsIn, readLines, readObject } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

/** More than fits into an unsharded name table, and into a large segment. */
const POSTS = 2100;

/** The maximum number of objects for each kind of day, whatever the blog's size. */
const DAYS: readonly (readonly [string, number, (db: BlogDatabase, n: number) => unknown])[] = [
  ['one new post', 28, publishOne],
  ['one edited body', 6, editOneBody],
  ['all views changed', 8, bumpAllViews],
];

describe('publishing costs what changed', () => {
  test(`in a blog of ${POSTS} posts`, async () => {
    const { db, out } = blogPaths();
    shortBlog(db, POSTS, 9);
    await publish(db, out);
    let objects = objectsIn(out).length;

    for (let n = 0; n < 2; n += 1) {
      for (const [name, most, change] of DAYS) {
        editing(db, (blog) => change(blog, n));
        const report = await publish(db, out);
        const now = objectsIn(out).length;
        expect(now - objects, `files added for ${name}`).toBe(report.objects.written);
        expect(report.objects.written, name).toBeGreaterThan(0);
        expect(report.objects.written, name).toBeLessThanOrEqual(most);
        objects = now;
      }
    }
    expectCopies(out);
  });

  test('and no more objects for tags by their exact slugs', async () => {
    const { db, out } = blogPaths();
    shortBlog(db, 60, 11);
    editing(db, (blog) => blog.exec("UPDATE tags SET slug = 'tag-' || id, name = 'tag ' || id"));
    await publish(db, out);
    expect(directoryOf(out).names.with_exact_tag).toBeUndefined();

    const used = 'SELECT t.id FROM tags t JOIN post_tags ON tag_id = t.id GROUP BY t.id LIMIT 2';
    editing(db, (blog) => {
      const [one, other] = blog.prepare<[], number>(used).pluck().all();
      blog.exec(`UPDATE tags SET name = 'tag-${other}' WHERE id = ${one}`);
      blog.exec(`UPDATE tags SET slug = 'one,comma' WHERE id = ${other}`);
    });
    await publish(db, out);
    const { with_exact_tag: exact, with_tag: tags } = directoryOf(out).names;
    expect(exact && 'inline' in exact).toBe(true);
    const named = new Set(tags && namesOf(out, tags).map(([, hash]) => hash));
    for (const [, hash] of exact ? namesOf(out, exact) : []) expect(named).toContain(hash);
  });

  test('and nothing if nothing changed', async () => {
    const { db, out } = blogPaths();
    shortBlog(db, 100, 10);
    await publish(db, out);
    const pointer = join(out, 'snapshot.json');
    const before = { bytes: readFileSync(pointer), stat: statSync(pointer, { bigint: true }) };
    const files = filesIn(out);

    const nothing: readonly ((db: BlogDatabase) => unknown)[] = [
      () => undefined,
      (blog) => blog.exec('VACUUM'),
      (blog) =>
        blog.exec("UPDATE posts SET title = title || '!'; UPDATE posts SET title = rtrim(title, '!')"),
      (blog) => blog.exec("UPDATE posts SET source = 'found at ' || id"),
      (blog) => blog.exec("INSERT INTO posts (slug, title) VALUES ('a-draft', 'A draft')"),
      (blog) => blog.exec('UPDATE posts SET views = views + 1; UPDATE posts SET views = views - 1'),
    ];
    for (const change of nothing) {
      editing(db, change);
      for (const again of [false, true]) {
        const later = new Date(Date.UTC(2027, 0, 1));
        const report = await publish(db, out, again ? { now: later, builtBy: 'a later program' } : {});
        expect(report.objects).toMatchObject({ written: 0, bytes_written: 0 });
        expect(filesIn(out)).toEqual(files);
        const after = statSync(pointer, { bigint: true });
        expect([after.mtimeNs, after.ctimeNs, after.ino]).toEqual([
          before.stat.mtimeNs,
          before.stat.ctimeNs,
          before.stat.ino,
        ]);
        expect(readFileSync(pointer)).toEqual(before.bytes);
      }
    }
  });
});

/** The copies of summaries, of the most viewed posts and of the newest of each set, are those of the posts' pages. */
function expectCopies(out: string): void {
  const { pages, popular, most_viewed: mostViewed, names } = directoryOf(out);
  const summaries = pages.flatMap((hash) => readLines(out, hash).records);
  const byViews = popular.flatMap((hash): number[] => JSON.parse(readObject(out, 'numbers', hash)));
  const copies = [{ hash: mostViewed ?? '', positions: byViews.slice(0, MOST_VIEWED) }];
  for (const table of [names.in_category, names.with_tag, names.by_author])
    for (const [, hash, copy] of namesOf(out, table ?? { inline: [] }))
      if (copy !== undefined)
        copies.push({ hash: String(copy), positions: positionsIn(out, hash).slice(-50) });
  expect(copies.length).toBeGreaterThan(20);
  for (const { hash, positions } of copies)
    expect(readLines(out, hash).records).toEqual(positions.map((position) => summaries[position]));
}
