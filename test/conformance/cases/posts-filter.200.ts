import { describe, expect, test } from 'vitest';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { FILTERS } from '../../../contract/filters.ts';
import { named } from '../../service/odd-blog.ts';
import { oddTexts } from '../../service/odd-rows.ts';
import { readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

/** GET /posts by category, tag and author, with several values of a filter, with a range of time, and by q. */
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
      const { items } = await read({ tag, per_page: 50 });
      const found = items.map((item) => item.tags.filter((name) => names.includes(name)));
      expect(found).not.toContainEqual([]);
      expect(new Set(found.flat())).toEqual(new Set(names));
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

  describe('/posts with several values: 200', () => {
    test.each([
      ['go', 'Golang'],
      ['golang', 'Go'],
      ['rust', 'RUST'],
      ['Rust', 'Rust'],
      ['well-known', 'well-known'],
      ['well-known-2', 'Well Known'],
      ['cpp', 'C++'],
      ['slash/ed', 'a/b'],
      ['__proto__', '__proto__'],
    ])('one tag exactly, also if another has its name or its key: %s', async (slug, name) => {
      const any = await read({ 'tag.any': slug, per_page: 50 });
      expect(any.meta.total).toBeGreaterThan(0);
      for (const { tags } of any.items) expect(tags).toContain(name);
      const { items } = await read({ 'tag.not': slug, per_page: 50 });
      expect(items.flatMap(({ tags }) => tags)).not.toContain(name);
    });

    test.each(['c++', 'CPP', 'Golang', 'RUST', 'machine learning', 'unused', 'nothing-like-it', 'one'])(
      'what is no slug finds nothing: %s',
      async (value) => {
        expect((await read({ 'tag.any': value })).meta.total).toBe(0);
        expect((await read({ 'tag.not': value })).meta).toEqual((await read({})).meta);
      },
    );

    test.each<[PostsQuery, boolean]>([
      [{ tag: 'cpp' }, true],
      [{ tag: 'cpp', 'tag.not': 'cpp' }, false],
      [{ from: '2024-01-01', until: '2024-01-01T00:00:00Z' }, false],
      [{ 'tag.any': 'a,b,c,d,e', 'author.not': 'ada,Ada,x,y,z' }, true],
      [{ 'category.not': 'news', 'author.any': 'ada,Ada', sort: 'popular', until: '2030-01-01' }, true],
      [{ 'category.not': 'news', 'author.any': 'ada,Ada', q: 'tit', until: '2030-01-01' }, true],
    ])('together, with filters, a search, an order and a range: %j', async (query, isFound) => {
      expect((await read(query)).meta.total > 0).toBe(isFound);
    });

    test('links repeat every value, in any encoding of the comma', async () => {
      const asked =
        'tag.any=cpp%2Cgo&tag.not=rust&from=2001-02-03T04:05:06%2B01:00&until=2030-01-01&per_page=1';
      const links = ['%2C', ','].map(async (comma) => {
        const reply = await stage().caller.get(`/posts?${asked.replace('%2C', comma)}`);
        expect(reply.status, reply.text).toBe(200);
        return reply.header('link') ?? '';
      });
      const [link = '', same] = await Promise.all(links);
      expect(same).toBe(link);
      const first = /<([^>]*)>; rel="first"/.exec(link)?.[1] ?? '';
      expect(Object.fromEntries(new URL(first, 'https://x').searchParams)).toEqual({
        'tag.any': 'cpp,go',
        'tag.not': 'rust',
        from: '2001-02-03T04:05:06+01:00',
        until: '2030-01-01',
        per_page: '1',
        page: '1',
      });
    });
  });

  describe('/posts by q: 200', () => {
    const words = oddTexts.flatMap(([title, description]) => `${title} ${description ?? ''}`.split(/\s+/));
    const plain = words.map((word) => word.replace(/\p{Cc}/gu, '')).filter((word) => word !== '');

    test('q finds every word of every text, in any case, composed or not', async () => {
      const forms = plain.flatMap((word) => [
        word,
        word.toUpperCase(),
        word.toLowerCase(),
        word.normalize('NFKD'),
      ]);
      for (const q of new Set(forms)) await read({ q, per_page: 50 });
    });

    test.each([
      '%',
      '\\',
      '"',
      'i\u0307stanbul',
      '\ufb01',
      'te',
      '\u1e05',
      'a\u0307\u0323',
      '\u7a7a\u767d',
      '\u0635\u0644\u0649 \u0627\u0644\u0644\u0647',
      '\u{1f980}',
      '1\u20442',
      'x2',
      '\u00e5',
      '\u00a8',
      'le need',
      'a b c d e f g h',
      '\u3000needle\u3000haystack',
      ' needle ',
      'machine learning',
      'learning machine',
      'c++ machine',
      '\u{1f600}'.repeat(100),
    ])('q finds every term as a substring, in any script: %s', async (q) => {
      await read({ q, per_page: 50 });
    });

    test.each([
      ['needle', ['needle', 'in the middle']],
      ['NEED', ['needle', 'in the middle', 'Ends with a need']],
      ['haystack MIDDLE', ['in the middle']],
      ['\uff4e\uff45\uff45\uff44\uff4c\uff45', ['needle', 'in the middle']],
    ])('q finds these posts: %s', async (q, titles) => {
      const { items } = await read({ q, sort: 'old' });
      expect(items.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    });
  });
};
