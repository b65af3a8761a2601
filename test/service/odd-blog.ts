import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { authors, categories, oddNames, oddTexts, tags } from './odd-rows.ts';

const SCHEMA = readFileSync(new URL('../../data/schema.sql', import.meta.url), 'utf8');

/** Slugs of posts with a special property; tests name what they need. */
export const named = {
  /** With every field set. */
  full: 'everything-set',
  /** With no optional field set. */
  bare: 'nothing-set',
  draft: 'a-draft',
  archived: 'an-archived-post',
  future: 'published-in-the-future',
  scheduled: 'scheduled-in-the-future',
  due: 'scheduled-and-due',
  longest: 'long-'.repeat(200),
  longestWide: '\u{2a6d6}'.repeat(1000),
  hostile: 'hostile-html',
  /** A public post had the first two slugs, then the third. */
  moves: ['first-address', 'a "second" address, 100% \u00fc', 'third?address&'],
  /** The former slug of one post, and the slug of another. */
  reused: 'reused-address',
} as const;

/** Content of the body of the post `named.hostile` that must be removed. */
export const HOSTILE = /<script|javascript:|onerror|onclick|<style|<object|<form|position:\s*fixed/i;

const HOSTILE_BODY = `
  <h2 id="start" onclick="alert(1)">A heading</h2><p>kept <em>text</em> &amp; <a href="https://blog.example/">link</a></p>
  <script>alert(1)</script><ScRiPt src=//evil.example></ScRiPt><img src="/a.png" alt="kept" onerror=alert(1)>
  <a href="javascript:alert(1)">x</a><a href="&#106;avascript:alert(1)">y</a><a href=" java\nscript:alert(1)">z</a>
  <style>*{display:none}</style><div style="position: fixed; inset: 0">over</div><object data="x"></object>
  <form action="https://evil.example"><input name="password"></form>
  <svg><script>alert(1)</script></svg><math><mtext><script>alert(1)</script></mtext></math>
  <table><tbody><tr><td>cell</td></tr></tbody></table><pre><code>let a = 1 &lt; 2;</code></pre>
  <iframe src="https://evil.example/"></iframe><iframe src="https://www.youtube.com/embed/abc123"></iframe>`;

interface OddPost {
  readonly slug: string;
  readonly title?: string;
  readonly body?: string;
  readonly description?: string | null;
  readonly cover?: string | null;
  readonly metaTitle?: string | null;
  readonly metaDescription?: string | null;
  readonly category?: string | null;
  readonly author?: string | null;
  readonly status?: string;
  readonly publishedAt?: string | null;
  readonly url?: string | null;
  readonly views?: number;
  /** Slugs, in display order. */
  readonly tags?: readonly string[];
}

/** An empty database with the schema. */
export function writeEmptyBlog(path: string): void {
  const db = new Database(path);
  db.transaction(() => db.exec(SCHEMA))();
  db.close();
}

/** Writes the blog of difficult cases. Always the same rows. */
export function writeOddBlog(path: string): void {
  const db = new Database(path);
  db.exec(SCHEMA);
  db.prepare('UPDATE site SET name = ?').run('Odd & "hard" <blog>');
  const category = db.prepare('INSERT INTO categories (slug, name) VALUES (@slug, @name)');
  const author = db.prepare(
    'INSERT INTO authors (username, name, avatar) VALUES (@username, @name, @avatar)',
  );
  const tag = db.prepare('INSERT INTO tags (slug, name) VALUES (@slug, @name)');
  db.transaction(() => {
    categories.forEach((row) => category.run(row));
    authors.forEach((row) => author.run(row));
    tags.forEach((row) => tag.run(row));
    for (const post of oddPosts()) insertPost(db, post);
    db.exec("UPDATE posts SET updated_at = '2025-06-07T08:09:10Z' WHERE id % 3 = 0");
    db.exec("UPDATE posts SET updated_at = '2025-06-07T08:09:10-03:30' WHERE id % 3 = 1");
    movePosts(db);
  })();
  db.close();
}

function movePosts(db: Database.Database): void {
  const move = db.prepare('UPDATE posts SET slug = ? WHERE slug = ?');
  const [first, second, third] = named.moves;
  insertPost(db, { slug: first, publishedAt: moment(70, 0) });
  move.run(second, first);
  move.run(third, second);
  insertPost(db, { slug: named.reused, publishedAt: moment(71, 0) });
  move.run(`${named.reused}-2`, named.reused);
  insertPost(db, { slug: named.reused, publishedAt: moment(72, 0) });
  // Never public: neither leads anywhere.
  insertPost(db, { slug: 'draft-address', status: 'draft', publishedAt: moment(73, 0) });
  move.run('published-address', 'draft-address');
  db.exec("UPDATE posts SET status = 'published' WHERE slug = 'published-address'");
}

/** A blog with extreme values that the schema allows. */
export function writeBoundsBlog(path: string): void {
  const db = new Database(path);
  db.exec(SCHEMA);
  const tag = db.prepare('INSERT INTO tags (slug, name) VALUES (?, ?)');
  const slugs = Array.from({ length: 200 }, (_, index) => `tag-${index}`);
  db.transaction(() => {
    slugs.forEach((slug) => tag.run(slug, `Tag ${slug}`));
    insertPost(db, { slug: 'most-viewed', views: Number.MAX_SAFE_INTEGER });
    insertPost(db, { slug: 'often-viewed', views: 2 ** 32 });
    insertPost(db, { slug: 'negative-zero', publishedAt: '2024-05-01T12:00:00-00:00' });
    insertPost(db, { slug: 'zulu', publishedAt: '2024-05-01T13:00:00Z' });
    insertPost(db, { slug: 'first-of-all', publishedAt: '0000-01-01T00:00:00+00:00' });
    insertPost(db, { slug: 'long-title', title: `${'Long '.repeat(199)}title` });
    insertPost(db, { slug: 'long-description', description: `${'Long '.repeat(998)}needle` });
    insertPost(db, { slug: 'long-word', description: `${'x'.repeat(4_994)}needle` });
    insertPost(db, { slug: 'unfolding', description: `${'\ufdfa'.repeat(4_990)}\u6587needle` });
    for (let i = 0; i < 30; i++) {
      insertPost(db, { slug: `no-spaces-${i}`, description: `${'\u6587'.repeat(4_990)}${i}-end` });
    }
    insertPost(db, { slug: 'long-body', body: `<p>${'Long '.repeat(399_998)}</p>` });
    insertPost(db, { slug: 'deep-body', body: `${'<div>'.repeat(199)}deep${'</div>'.repeat(199)}` });
    insertPost(db, { slug: 'many-tags', tags: slugs });
  })();
  db.close();
}

const NO_VALUES: Omit<Required<OddPost>, 'slug' | 'title' | 'tags'> = {
  body: '<p>Body</p>',
  description: null,
  cover: null,
  metaTitle: null,
  metaDescription: null,
  category: null,
  author: null,
  url: null,
  views: 0,
  status: 'published',
  publishedAt: '2024-06-01T12:00:00+00:00',
};

/** Inserts one post. Missing fields are null; it is published in 2024. */
export function insertPost(db: Database.Database, { tags: tagged = [], ...post }: OddPost): void {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO posts (slug, title, body, description, cover, meta_title, meta_description, category_id,
         author_id, status, published_at, url, views)
       VALUES (@slug, @title, @body, @description, @cover, @metaTitle, @metaDescription,
         (SELECT id FROM categories WHERE slug = @category), (SELECT id FROM authors WHERE username = @author),
         @status, @publishedAt, @url, @views)`,
    )
    .run({ ...NO_VALUES, title: `Title of ${[...post.slug].slice(0, 900).join('')}`, ...post });
  const tag = db.prepare(
    'INSERT INTO post_tags (post_id, tag_id, place) SELECT ?, id, ? FROM tags WHERE slug = ?',
  );
  [...new Set(tagged)].forEach((slug, place) => tag.run(lastInsertRowid, place, slug));
}

function oddPosts(): OddPost[] {
  const shownCategories = categories.filter(({ slug }) => slug !== 'empty' && slug !== 'drafts-only');
  const shownAuthors = authors.filter(({ username }) => !['idle', 'drafter', 'planner'].includes(username));
  const shownTags = tags.filter(({ slug }) => slug !== 'unused' && slug !== 'drafts-only');
  const turn = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

  const byName = oddNames.map((slug, index): OddPost => ({
    slug,
    description: index % 3 === 0 ? null : `About ${slug}`,
    category: index % 5 === 0 ? null : (turn(shownCategories, index)?.slug ?? null),
    author: index % 7 === 0 ? null : (turn(shownAuthors, index)?.username ?? null),
    // Three a day, so that many have the same time, written in three ways.
    publishedAt: moment(Math.floor(index / 3), index % 3),
    views: [0, 5, 5, 1000][index % 4] ?? 0,
    tags: [turn(shownTags, index)?.slug ?? '', turn(shownTags, index * 7 + 3)?.slug ?? ''],
  }));
  const byText = oddTexts.map(([title, description], index): OddPost => ({
    slug: `text-${index}`,
    title,
    description,
    category: turn(shownCategories, index * 3)?.slug ?? null,
    author: turn(shownAuthors, index * 5)?.username ?? null,
    publishedAt: moment(40 + (index % 9), index % 3),
    views: index % 6,
    tags: [turn(shownTags, index * 2)?.slug ?? '', turn(shownTags, index * 2 + 1)?.slug ?? ''],
  }));
  const tied = ['tie', 'Tie', 'tie-2', 'tie-10', '\ud83e\udd80-tie', '\uff54ie', 'ti\u00e9'].map(
    (slug, index): OddPost => ({ slug, publishedAt: moment(60, index % 3), views: 77 }),
  );
  return [...byName, ...byText, ...tied, ...postsOfNote()];
}

/** 12:00 UTC on a day of 2024, at one of three offsets. */
function moment(day: number, offset: number): string {
  const local = ['T12:00:00+00:00', 'T14:00:00+02:00', 'T06:30:00-05:30'][offset] ?? 'T12:00:00Z';
  return new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10) + local;
}

function postsOfNote(): OddPost[] {
  const everything: OddPost = {
    slug: named.full,
    title: 'Everything set',
    body: '<h2>Heading</h2><p>Text with <strong>weight</strong>.</p>',
    description: 'Every field has a value',
    cover: 'https://img.example/cover.png?size=1&x=%222%22',
    metaTitle: 'For machines',
    metaDescription: 'A description for machines',
    category: 'news',
    author: 'ada',
    publishedAt: '2025-01-31T23:59:59+05:45',
    url: 'https://elsewhere.example/its/own/address?a=b#c',
    views: 4_000_000_000,
    tags: ['machine-learning', 'cpp', 'csharp', 'c', 'Rust', 'rust'],
  };
  const hidden = { category: 'drafts-only', author: 'drafter', tags: ['drafts-only', 'cpp'], views: 9 };
  return [
    everything,
    { slug: named.bare, title: 'Nothing set', body: '' },
    { slug: named.hostile, body: HOSTILE_BODY },
    { slug: named.longest },
    { slug: named.longestWide, category: 'x'.repeat(200) },
    { slug: 'cover-path', cover: '/covers/a.png', url: '/its/own/path' },
    { slug: 'before-the-epoch', publishedAt: '1969-12-31T23:59:59Z', views: 3 },
    { slug: 'long-ago', publishedAt: '1901-02-03T04:05:06+00:00', views: 3 },
    { slug: 'far-east', publishedAt: '2025-02-01T13:00:00+14:00' },
    { slug: 'far-west', publishedAt: '2025-01-31T11:00:00-12:00' }, // The same time as far-east.
    { slug: 'leap', publishedAt: '2024-02-29T23:30:00-01:00' },
    { slug: named.due, status: 'scheduled', publishedAt: '2025-03-01T00:00:00+01:00', tags: ['go'] },
    { ...hidden, slug: named.draft, status: 'draft', publishedAt: null },
    { ...hidden, slug: 'a-draft-with-a-date', status: 'draft', publishedAt: '2024-01-01T00:00:00Z' },
    { ...hidden, slug: named.archived, status: 'archived', publishedAt: '2024-01-01T00:00:00Z' },
    { ...hidden, slug: named.future, author: 'planner', publishedAt: '9999-12-31T23:59:59Z' },
    { ...hidden, slug: named.scheduled, status: 'scheduled', publishedAt: '2999-01-01T00:00:00+00:00' },
  ];
}
