import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publish } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { gatewayOf } from '../../changes/service.ts';
import { openOracle, type PostsQuery } from '../../oracle/oracle.ts';
import { cases, SEED } from '../../random-cases.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';

/** For each seed. */
const BLOGS = cases(40);
const QUERIES = 24;
/** Its blogs have many lists that are not empty. */
const FIXED_SEED = 1;

/** Smaller blogs have no search index. */
const INDEXED = 250;

/** Few letters, so that texts have much in common, and those that are difficult in Unicode. */
const LETTERS = [...'aabbcdeI', '\u0130', '\u0131', '\u00df', '\u017f', '\ufb01', '\u2126', '\u00c5', 'A\u030a', '\u3042', '\uff76', '\u30ac', '\u4e2d', '\u6587',
  '\u0627', '\u0644', '\ufdfa', '\u{1f980}', '\u{1f468}\u200d\u{1f680}', '\u0301', "don't", 'C++', '.js', '-', '%', '_', '"', '\\', ' ', ' ', '  ', '\u00a0', '\u3000']; // prettier-ignore
const text = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join(''));
const notBlank = text.filter((one) => one.trim() !== '' && one.normalize('NFKC').trim() !== '');

const names = fc.uniqueArray(notBlank, { minLength: 1, maxLength: 5, selector: (name) => name });
const post = fc.record({
  title: notBlank,
  description: fc.option(notBlank),
  body: fc.oneof(fc.constant(''), notBlank),
  category: fc.nat(5),
  author: fc.nat(5),
  tags: fc.uniqueArray(fc.nat(4), { maxLength: 4 }),
  views: fc.oneof(fc.constantFrom(0, 0, 1, 2), fc.nat(2 ** 31)),
  day: fc.integer({ min: 1, max: 28 }),
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constant('published') },
    fc.constantFrom('scheduled', 'draft', 'archived'),
  ),
});
type RandomPost = typeof post extends fc.Arbitrary<infer Post> ? Post : never;

const blog = fc
  .record({
    categories: names,
    tags: names,
    authors: names,
    posts: fc
      .tuple(fc.array(post, { maxLength: 70, size: 'max' }), fc.constantFrom(0, 0, INDEXED, 2 * INDEXED + 20))
      .map(([posts, least]) => atLeast(posts, least)),
  })
  .chain((made) => {
    const texts = [
      ...made.posts.flatMap(({ title, description, body }) => [title, description ?? body]),
      ...made.tags,
    ];
    const piece = fc
      .constantFrom('a', ...texts)
      .chain((one) =>
        fc
          .tuple(fc.nat(one.length), fc.integer({ min: 1, max: 5 }))
          .map(([start, length]) => one.slice(start, start + length)),
      );
    const q = fc
      .array(fc.oneof({ weight: 5, arbitrary: piece }, text), { minLength: 1, maxLength: 3 })
      .map((pieces) => pieces.join(' '))
      .filter((one) => one.isWellFormed() && one.normalize('NFKC').trim().split(/\s+/u).length <= 8);
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const name = (list: readonly string[]) => maybe(fc.constantFrom(...list, 'nothing'));
    const filters = { category: name(made.categories), tag: name(made.tags), author: name(made.authors) };
    const query = fc
      .record({
        ...filters,
        q: fc.option(q, { nil: undefined, freq: 3 }),
        sort: fc.constantFrom('new', 'old', 'popular' as const),
        page: fc.integer({ min: 1, max: 4 }),
        per_page: fc.oneof(fc.constantFrom(1, 50), fc.integer({ min: 1, max: 50 })),
      })
      .map((all): PostsQuery =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
      );
    const queries = fc.array(query, { minLength: QUERIES, maxLength: QUERIES });
    return fc.record({ queries }).map((asked) => ({ ...made, ...asked }));
  });
type RandomBlog = typeof blog extends fc.Arbitrary<infer Blog> ? Blog : never;

/** Repeats the posts until there are enough, each time with other titles of the same letters. */
function atLeast(posts: readonly RandomPost[], least: number): RandomPost[] {
  if (posts.length === 0) return [];
  return Array.from({ length: Math.max(posts.length, least) }, (_, i) => {
    const one = posts[i % posts.length]!;
    const at = Math.floor(i / posts.length) % one.title.length;
    const title = one.title.slice(at) + one.title.slice(0, at);
    return title.isWellFormed() && title.trim() !== '' ? { ...one, title } : one;
  });
}

test.each([FIXED_SEED, SEED])(
  `${BLOGS} random blogs, ${BLOGS * QUERIES} random lists, seed %i`,
  async (seed) => {
    const folder = temporaryFolder();
    let found = 0;
    let searches = 0;
    await fc.assert(
      fc.asyncProperty(blog, async (made) => {
        const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
        // The files of the documentation are large, and the same for each blog.
        for (const file of [db, `${db}-wal`, `${db}-shm`, join(out, 'snapshot.json'), join(out, 'state')])
          rmSync(file, { recursive: true, force: true });
        write(db, made);
        await publish(db, out, { now: new Date() });
        const service = await gatewayOf(out);
        const oracle = openOracle(db);
        try {
          for (const query of made.queries) {
            const expected = oracle.posts(query);
            const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
            const answer = await service.get('/posts', Object.fromEntries(given));
            expect(answer, JSON.stringify(query)).toEqual({ success: true, data: expected });
            if (expected.meta.total > 0) found += 1;
            if (expected.meta.total > 0 && query.q) searches += 1;
          }
        } finally {
          oracle.close();
        }
      }),
      { seed, numRuns: BLOGS, endOnFailure: true },
    );
    // Empty lists prove little.
    if (seed !== FIXED_SEED) return;
    expect(found).toBeGreaterThan((BLOGS * QUERIES) / 6);
    expect(searches).toBeGreaterThan(BLOGS);
  },
);

function write(path: string, { categories, tags, authors, posts }: RandomBlog): void {
  writeEmptyBlog(path);
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.transaction(() => {
    for (const name of categories)
      db.prepare('INSERT INTO categories (slug, name) VALUES (?, ?)').run(name, name);
    for (const name of tags) db.prepare('INSERT INTO tags (slug, name) VALUES (?, ?)').run(name, name);
    for (const name of authors)
      db.prepare('INSERT INTO authors (username, name) VALUES (?, ?)').run(name, name);
    const insert = db.prepare(
      `INSERT INTO posts (slug, title, body, description, category_id, author_id, status, published_at, views)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const link = db.prepare('INSERT INTO post_tags (post_id, tag_id, place) VALUES (?, ?, ?)');
    for (const [i, one] of posts.entries()) {
      const at = `2024-01-${String(one.day).padStart(2, '0')}T10:00:00+02:00`;
      const category = one.category < categories.length ? one.category + 1 : null;
      const author = one.author < authors.length ? one.author + 1 : null;
      const { lastInsertRowid } = insert.run(
        `post-${(i * 37) % 101}-${i}`,
        one.title,
        `<p>${one.body}</p>`,
        one.description,
        category,
        author,
        one.status,
        at,
        one.views,
      );
      for (const [place, tag] of one.tags.entries())
        if (tag < tags.length) link.run(lastInsertRowid, tag + 1, place);
    }
  })();
  db.close();
}
