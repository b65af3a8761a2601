import { describe, expect, test } from 'vitest';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { FILTERS } from '../../../contract/filters.ts';
import { named } from '../../service/odd-blog.ts';
import { readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

/** GET /posts by category, tag and author. */
export const postsFilter200: Cases = (stage) => {
  const read = (query: PostsQuery = {}) => readPosts(stage(), query);

  describe('/posts by category, tag and author: 200', () => {
    test.each([
      ['C++', ['C++']],
      ['cpp', ['C++']],
      ['c#', ['C#']],
      ['C', ['C']],
      ['Machine Learning', ['Machine Learning']],
      ['machine-learning', ['Machine Learning']],
      ['MACHINE-LEARNING', ['Machine Learning']],
      ['well-known', ['well-known', 'Well Known']],
      ['well known', ['well-known', 'Well Known']],
      ['Well-Known-2', ['Well Known']],
      ['go', ['Go', 'Golang']],
      ['GOLANG', ['Go', 'Golang']],
      ['rust', ['Rust', 'RUST']],
      ['\u0130stanbul', ['\u0130stanbul']],
      ['i\u0307STANBUL', ['\u0130stanbul']],
      ['STRASSE', ['Stra\u00dfe']],
      ['stra\u00dfe', ['Stra\u00dfe']],
      ['gro\u00dfe', ['GRO\u1e9eE']],
      ['cafe\u0301', ['Caf\u00e9']],
      ['CAF\u00c9-NOIR', ['Cafe\u0301 noir']],
      ['\uff32\uff35\uff33\uff34', ['Rust', 'RUST']],
      ['\u{1f980}-Rust-CRAB', ['\u{1f980} rust crab']],
      ['say-"hello"', ['say "hello"']],
      ['a,-b', ['a, b']],
      ['a/b', ['a/b']],
      ['..', ['..']],
      ['__proto__', ['__proto__']],
      ['constructor', ['constructor']],
      ['\u65e5\u672c\u8a9e', ['\u65e5\u672c\u8a9e']],
      ['100%', ['100%']],
      ['T'.repeat(200), ['As long as a filter may be']],
    ])('tag by slug or by name, with hyphens for spaces, in any case: %s', async (tag, names) => {
      const { items, meta } = await read({ tag, per_page: 50 });
      expect(meta.total).toBeGreaterThan(0);
      for (const item of items)
        expect(
          item.tags.some((name) => names.includes(name)),
          item.slug,
        ).toBe(true);
      const found = new Set(items.flatMap((item) => item.tags));
      expect([...found]).toEqual(expect.arrayContaining(names));
    });

    test.each([
      { category: 'nothing-like-it' },
      { category: 'empty' },
      { category: 'drafts-only' },
      { category: 'NEWS' },
      { category: 'prototype' },
      { tag: 'nothing-like-it' },
      { tag: 'unused' },
      { tag: 'drafts-only' },
      { author: 'nobody' },
      { author: 'idle' },
      { author: 'planner' },
      { author: 'ADA' },
      { category: 'news', author: 'nobody' },
      { q: 'zyzzyva' },
      { category: 'hasOwnProperty', tag: 'valueOf', author: 'toString' },
    ] as PostsQuery[])('unknown values give an empty list: %j', async (query) => {
      const { items, meta } = await read(query);
      expect(items).toEqual([]);
      expect(meta).toEqual({ page: 1, per_page: 15, last_page: 1, total: 0 });
    });

    test.each(Object.keys(FILTERS))('%s has answers, sets and links of its own', async (filter) => {
      const whole = await read();
      expect((await read({ [filter]: 'nothing-like-it' })).items).toEqual([]);
      expect(await read()).toEqual(whole);

      const reply = await stage().caller.get('/posts', { query: { [filter]: 'a b', per_page: 1 } });
      expect(reply.header('link')).toContain(`${filter}=a+b`);
    });

    test('all filters together, combined with AND', async () => {
      const query = { category: 'news', tag: 'c++', author: 'ada', q: 'every VALUE', sort: 'old' } as const;
      const { items } = await read(query);
      expect(items.map(({ slug }) => slug)).toEqual([named.full]);
      expect((await read({ ...query, author: 'Ada' })).meta.total).toBe(0);
    });
  });
};
