import { describe, expect, test } from 'vitest';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { named } from '../../service/odd-blog.ts';
import { PREFIX } from '../caller.ts';
import { list, readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

/** GET /posts: content, order and query parameters. */
export const posts200: Cases = (stage) => {
  const read = (query: PostsQuery = {}) => readPosts(stage(), query);
  /** The whole list, in order. */
  const readAll = async (query: PostsQuery = {}) => {
    const first = await read({ ...query, per_page: 50 });
    const items = [...first.items];
    for (let page = 2; page <= first.meta.last_page; page += 1) {
      items.push(...(await read({ ...query, per_page: 50, page })).items);
    }
    return items;
  };

  describe('/posts: 200', () => {
    test('has 15 posts a page, newest first, by default', async () => {
      const { items, meta } = await read();
      expect(items).toHaveLength(15);
      expect(meta).toMatchObject({ page: 1, per_page: 15 });
      expect(items).toEqual((await read({ sort: 'new', page: 1, per_page: 15 })).items);
    });

    test.each(['new', 'old', 'popular'] as const)(
      'has every published post once, sorted by %s',
      async (sort) => {
        const slugs = (await readAll({ sort })).map(({ slug }) => slug);
        expect(new Set(slugs).size).toBe(slugs.length);
        expect(slugs).toEqual(
          expect.arrayContaining([named.full, named.bare, named.due, named.longest, '...', '__proto__']),
        );
        for (const hidden of [
          named.draft,
          named.archived,
          named.future,
          named.scheduled,
          'a-draft-with-a-date',
        ]) {
          expect(slugs).not.toContain(hidden);
        }
      },
    );

    test('old is the reverse of new, including ties', async () => {
      const [newest, oldest] = [await readAll({ sort: 'new' }), await readAll({ sort: 'old' })];
      expect(oldest.toReversed()).toEqual(newest);
    });

    test('posts with the same time are ordered by slug, whatever their offset', async () => {
      const slugs = (await readAll({ sort: 'old' })).map(({ slug }) => slug);
      // By code point, not by UTF-16 unit: full-width letters come before emoji.
      expect(slugs.filter((slug) => /^(?:ti\u00e9$|\uff54ie|tie|Tie|\u{1f980}-tie)/u.test(slug))).toEqual([
        'Tie',
        'tie',
        'tie-10',
        'tie-2',
        'ti\u00e9',
        '\uff54ie',
        '\u{1f980}-tie',
      ]);
      expect(slugs.indexOf('far-west')).toBe(slugs.indexOf('far-east') + 1);
    });

    test('popular is by views, then newest', async () => {
      const items = await readAll({ sort: 'popular' });
      expect(items[0]).toMatchObject({ slug: named.full, views: 4_000_000_000 });
      const views = items.map((item) => item.views);
      expect(views).toEqual(views.toSorted((a, b) => b - a));
    });

    test('has every field of a post that sets all of them', async () => {
      const { items } = await read({ q: 'Everything set' });
      expect(items).toEqual([
        {
          slug: 'everything-set',
          title: 'Everything set',
          description: 'Every field has a value',
          cover: 'https://img.example/cover.png?size=1&x=%222%22',
          views: 4_000_000_000,
          tags: ['Machine Learning', 'C++', 'C#', 'C', 'Rust', 'RUST'],
          category: { name: 'News', slug: 'news' },
          author: { name: 'Ada', username: 'ada' },
          url: 'https://elsewhere.example/its/own/address?a=b#c',
          published_at: '2025-01-31T23:59:59+05:45',
        },
      ]);
    });

    test('missing values of a post are null, and their fields present', async () => {
      const { items } = await read({ q: 'Nothing set' });
      expect(items).toEqual([
        {
          slug: 'nothing-set',
          title: 'Nothing set',
          description: null,
          cover: null,
          views: 0,
          tags: [],
          category: null,
          author: null,
          url: 'https://blog.example/posts/nothing-set',
          published_at: '2024-06-01T12:00:00+00:00',
        },
      ]);
    });

    test('a cover or a URL that is a path is resolved against the public site', async () => {
      const { items } = await read({ q: 'cover-path' });
      expect(items).toMatchObject([
        { cover: 'https://blog.example/covers/a.png', url: 'https://blog.example/its/own/path' },
      ]);
    });

    test.each([
      ['?', {}],
      ['?&&', {}],
      ['?q', {}],
      ['?unknown=1&utm_source=x', {}],
      ['?per_page=1&PAGE=0', { per_page: 1 }],
      ['?per%5Fpage=2', { per_page: 2 }],
      ['?__proto__=1&constructor=2', {}],
      ['?q=', {}],
      ['?q=+', {}],
      ['?q=%20%20', {}],
      ['?q=%E3%80%80', {}],
      ['?q=middle+haystack', { q: 'middle haystack' }],
      ['?q=middle+haystack&tag=Machine+Learning', { q: 'middle haystack', tag: 'Machine Learning' }],
      ['?from=2024-06-01T12:00:00%2B05:00', { from: '2024-06-01T12:00:00+05:00' }],
      // A plus that is not encoded.
      ['?from=2024-06-01T12:00:00+05:00', { from: '2024-06-01T12:00:00+05:00' }],
    ])('parses the query like a form, and ignores unknown parameters: %s', async (text, query) => {
      const reply = await stage().caller.getAbsolute(`${PREFIX}/posts${text}`);
      expect(list.parse(reply.json).data).toEqual(stage().oracle.posts(query));
    });
  });
};
