import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateBlog, NotABenchBlog } from '../bench/generate/blog.ts';
import { bumpAllViews, editOneBody, publishOne, touchEveryPost } from '../bench/generate/changes.ts';
import { postMaker } from '../bench/generate/post.ts';
import { generationOf } from './build/generation.ts';
import { probes } from './search/probes.ts';
import { taxonomySizes } from '../bench/generate/taxonomy.ts';
import { openForReading, openForWriting, type BlogDatabase } from '../data/database.ts';

const POSTS = 2000;
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const path = join(folder, 'blog.db');
let db: BlogDatabase;

beforeAll(() => {
  generateBlog(path, { posts: POSTS, seed: 7 });
  db = openForReading(path);
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

/** The first column of the only row, which is a number. */
function number(sql: string, ...parameters: readonly string[]): number {
  const value = db
    .prepare(sql)
    .pluck()
    .get(...parameters);
  if (typeof value !== 'number') throw new TypeError(`${sql} gives no number.`);
  return value;
}

/** A hash of all content, without `revision`, which is random by design. */
function dump(db: BlogDatabase): string {
  const hash = createHash('sha256');
  for (const table of ['site', 'authors', 'categories', 'tags', 'posts', 'post_tags']) {
    const columns = db
      .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name <> 'revision'")
      .pluck()
      .all(table);
    const rows = db.prepare(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY 1, 2`).raw();
    for (const row of rows.iterate()) hash.update(`${table} ${JSON.stringify(row)}\n`);
  }
  return hash.digest('hex');
}

function dumpOf(posts: number, seed: number): string {
  const path = join(folder, 'other.db');
  generateBlog(path, { posts, seed });
  const db = openForReading(path);
  try {
    return dump(db);
  } finally {
    db.close();
  }
}

describe('the same blog', () => {
  test('comes from the same seed, whatever was generated in between', () => {
    const first = dumpOf(300, 1);
    expect(dumpOf(300, 2)).not.toBe(first);
    expect(dumpOf(301, 1)).not.toBe(first);
    expect(dumpOf(300, 1)).toBe(first);
  });

  test('leaves no temporary files', () => {
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  });

  test('never replaces another blog', () => {
    const mine = join(folder, 'mine.db');
    openForWriting(mine).close();
    expect(() => generateBlog(mine, { posts: 10 })).toThrow(NotABenchBlog);
  });

  test('may be as small as one post', () => {
    expect(() => generateBlog(join(folder, 'tiny.db'), { posts: 1 })).not.toThrow();
  });
});

describe('a generated blog is realistic', () => {
  /** Share of all posts. */
  const part = (condition: string) => number(`SELECT avg(${condition}) FROM posts`);
  const sizes = (sql: string) => db.prepare<[], number>(sql).pluck().all();

  test.each([
    ["status = 'draft'", 0.01, 0.006],
    ["status = 'archived'", 0.003, 0.003],
    ["status = 'scheduled'", 0, 0],
    ['category_id IS NULL', 0.03, 0.01],
    ['cover IS NULL', 0.1, 0.02],
    ['author_id IS NULL', 0.01, 0.006],
    ['description IS NULL', 0.05, 0.015],
    ['meta_title IS NOT NULL', 0.5, 0.03],
    ["slug GLOB '*[^a-z0-9-]*'", 0.05, 0.015],
    ['views = 0', 0.1, 0.03],
    ["title GLOB '*[а-я]*'", 0.13, 0.03],
    ["title GLOB '*[α-ω]*'", 0.03, 0.01],
    ["title GLOB '*[ء-ي]*'", 0.04, 0.015],
    ["title GLOB '*[ぁ-鿿]*'", 0.08, 0.02],
  ])('%s: %f ± %f of the posts', (condition, wanted, tolerance) => {
    expect(Math.abs(part(condition) - wanted)).toBeLessThanOrEqual(tolerance);
  });

  test('bodies have 2 to 8 kB, 4 kB on average', () => {
    const bytes = 'length(CAST(body AS BLOB))';
    expect(number(`SELECT min(${bytes}) FROM posts`)).toBeGreaterThanOrEqual(2000);
    expect(number(`SELECT max(${bytes}) FROM posts`)).toBeLessThan(10_000);
    expect(Math.abs(number(`SELECT avg(${bytes}) FROM posts`) - 4000)).toBeLessThan(200);
  });

  test.each([
    '<h2',
    '<ul>',
    '<table>',
    '<pre><code class="language-',
    '<figure>',
    'youtube-nocookie.com',
    '<script>',
    'onclick=',
  ])('some bodies have %s', (html) => {
    expect(number('SELECT count(*) FROM posts WHERE instr(body, ?)', html)).toBeGreaterThan(0);
  });

  test('categories, authors and tags are skewed', () => {
    const categories = sizes('SELECT count(*) FROM posts GROUP BY category_id ORDER BY 1 DESC');
    expect(Math.abs((categories[0] ?? 0) / POSTS - 0.34)).toBeLessThan(0.04);
    expect(number('SELECT count(*) FROM categories')).toBe(14);
    expect(number('SELECT count(*) FROM authors')).toBe(21);

    expect(number('SELECT count(*) FROM tags')).toBe(224);
    const tags = sizes('SELECT count(*) FROM post_tags GROUP BY tag_id ORDER BY 1 DESC');
    expect(Math.abs((tags[0] ?? 0) / POSTS - 0.2)).toBeLessThan(0.04);
    expect(tags.filter((uses) => uses <= 3).length).toBeGreaterThan(tags.length / 5);

    const tagsOfPost = sizes('SELECT (SELECT count(*) FROM post_tags WHERE post_id = id) FROM posts');
    expect(Math.abs(tagsOfPost.reduce((a, b) => a + b) / POSTS - 3)).toBeLessThan(0.2);
    expect([Math.min(...tagsOfPost), Math.max(...tagsOfPost)]).toEqual([0, 8]);
  });

  test('few posts have most of the views', () => {
    const views = sizes('SELECT views FROM posts ORDER BY views DESC');
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    expect(sum(views.slice(0, POSTS / 20))).toBeGreaterThan(sum(views) / 2);
    expect(new Set(views).size).toBeLessThan(POSTS / 2);
  });

  test('dates cover 15 years in several offsets, and some are equal', () => {
    expect(number('SELECT min(published_unix) FROM posts')).toBeGreaterThanOrEqual(
      Date.UTC(2011, 8, 1) / 1000,
    );
    expect(number('SELECT min(published_unix) FROM posts')).toBeLessThan(Date.UTC(2011, 9, 1) / 1000);
    expect(number('SELECT max(published_unix) FROM posts')).toBeGreaterThan(Date.UTC(2026, 7, 1) / 1000);
    expect(number('SELECT max(published_unix) FROM posts')).toBeLessThan(Date.UTC(2026, 8, 1) / 1000);
    expect(number('SELECT count(DISTINCT substr(published_at, 20)) FROM posts')).toBeGreaterThan(5);
    const shared = number('SELECT count(published_unix) - count(DISTINCT published_unix) FROM posts');
    expect(shared / POSTS).toBeGreaterThan(0.01);
  });

  test('titles have 3 to 12 words, descriptions 10 to 40', () => {
    const texts = db
      .prepare<[], { title: string; description: string | null }>(
        "SELECT title, description FROM posts WHERE title GLOB '[A-Z]*'",
      )
      .all();
    const words = (text: string) => text.split(/ (?:& )?/u).length;
    const titles = texts.map(({ title }) => words(title));
    expect([Math.min(...titles), Math.max(...titles)]).toEqual([3, 12]);
    const descriptions = texts.flatMap(({ description }) => (description === null ? [] : words(description)));
    expect([Math.min(...descriptions), Math.max(...descriptions)]).toEqual([10, 40]);
  });

  test('the vocabulary grows with the text, but more slowly', () => {
    const titles = db
      .prepare<[], string>("SELECT title FROM posts WHERE title GLOB '[A-Z]*' ORDER BY id")
      .pluck()
      .all();
    const distinct = (some: readonly string[]) =>
      new Set(some.flatMap((title) => title.toLowerCase().match(/\p{L}+/gu) ?? [])).size;
    const growth = distinct(titles) / distinct(titles.slice(0, titles.length / 4));
    // Four times the text gives twice the words, if the vocabulary grows as the square root.
    expect(growth).toBeGreaterThan(1.8);
    expect(growth).toBeLessThan(3.2);
  });
});

describe('probes', () => {
  beforeAll(() => {
    db.function('fold', { deterministic: true }, (text) => String(text).normalize('NFKC').toLowerCase());
  });

  /** Published posts with all terms, by plain SQL. */
  function hits(q: string): number {
    return number(
      `SELECT count(*) FROM posts WHERE status = 'published' AND NOT EXISTS (
        SELECT 1 FROM json_each(?) AS term WHERE NOT (
          instr(fold(title), term.value) OR instr(fold(coalesce(description, '')), term.value)
          OR EXISTS (SELECT 1 FROM post_tags JOIN tags ON tags.id = tag_id
            WHERE post_id = posts.id AND instr(fold(name), term.value))))`,
      JSON.stringify(q.split(' ')),
    );
  }

  test.each(Object.entries(probes(POSTS)))('%s has as many hits as it claims: %o', (_name, probe) => {
    const found = hits(probe.q);
    if (probe.exact) expect(found).toBe(probe.posts);
    // Within three standard deviations of the expected number.
    else expect(Math.abs(found - probe.posts)).toBeLessThanOrEqual(3 * Math.sqrt(probe.posts));
    if (!probe.exact) expect(found).toBeGreaterThan(0);
  });

  test('no post with a rare word is a draft', () => {
    // In a blog of ten, every post has one.
    for (let seed = 0; seed < 100; seed += 1) {
      const make = postMaker({ posts: 10, ...taxonomySizes(10) }, seed);
      for (let number = 0; number < 10; number += 1) expect(make(number).status).toBe('published');
    }
  });

  test('each of the disjoint pair is found alone', () => {
    for (const q of probes(POSTS).disjointPair.q.split(' ')) {
      expect(hits(q)).toBeGreaterThan(POSTS / 50);
    }
  });
});

describe('changes', () => {
  /** Runs `work` on a fresh copy of the blog. */
  function onBlog(work: (db: BlogDatabase) => void): string {
    const path = join(folder, 'changed.db');
    generateBlog(path, { posts: 200, seed: 3 });
    const db = openForWriting(path);
    try {
      work(db);
      return dump(db);
    } finally {
      db.close();
    }
  }
  const texts = (db: BlogDatabase) =>
    db
      .prepare<[], { slug: string; title: string; body: string }>(
        'SELECT slug, title, body FROM posts ORDER BY id',
      )
      .all();
  const revision = (db: BlogDatabase) =>
    db.prepare<[], { content: number; views: number }>('SELECT content, views FROM revision').get();

  test('are the same each time', () => {
    const all = (db: BlogDatabase) => {
      for (let n = 0; n < 3; n += 1) publishOne(db, n);
      for (let n = 0; n < 3; n += 1) editOneBody(db, n);
      bumpAllViews(db, 1);
      touchEveryPost(db, 1);
    };
    expect(onBlog(all)).toBe(onBlog(all));
  });

  test('publishOne makes the newest post, with tags', () => {
    onBlog((db) => {
      const newest = db.prepare('SELECT slug FROM posts ORDER BY published_unix DESC, slug DESC').pluck();
      for (let n = 0; n < 20; n += 1) {
        const slug = publishOne(db, n);
        expect(newest.get()).toBe(slug);
        const tags = db
          .prepare<[string], number>(
            "SELECT count(*) FROM post_tags JOIN posts ON id = post_id WHERE slug = ? AND status = 'published'",
          )
          .pluck()
          .get(slug);
        expect(tags).toBeGreaterThan(0);
      }
    });
  });

  test('editOneBody changes one body only', () => {
    onBlog((db) => {
      const before = texts(db);
      const slug = editOneBody(db, 5);
      const changed = texts(db).filter((post, at) => post.body !== before[at]?.body);
      expect(changed.map((post) => post.slug)).toEqual([slug]);
      expect(texts(db).map(({ title }) => title)).toEqual(before.map(({ title }) => title));
    });
  });

  test('bumpAllViews raises every count and changes no content', () => {
    onBlog((db) => {
      const views = db.prepare<[], number>('SELECT views FROM posts ORDER BY id').pluck();
      const [before, revisionBefore] = [views.all(), revision(db)];
      bumpAllViews(db, 1);
      expect(views.all().every((count, at) => count > (before[at] ?? Infinity))).toBe(true);
      expect(revision(db)?.content).toBe(revisionBefore?.content);
      expect(revision(db)?.views).not.toBe(revisionBefore?.views);
    });
  });

  test('touchEveryPost leaves one generation in each title and body', () => {
    onBlog((db) => {
      const before = texts(db);
      expect(before.some(({ title, body }) => generationOf(title + body) !== null)).toBe(false);
      touchEveryPost(db, 1);
      touchEveryPost(db, 12);
      texts(db).forEach(({ title, body }, at) => {
        expect([title, body]).toEqual([
          `${before[at]?.title} [generation 12]`,
          `${before[at]?.body}\n<p>[generation 12]</p>`,
        ]);
        expect([generationOf(title), generationOf(body)]).toEqual([12, 12]);
      });
    });
  });
});
