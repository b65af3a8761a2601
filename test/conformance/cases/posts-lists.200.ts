import { describe, expect, test } from 'vitest';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

const ELEVEN = 'a,b,c,d,e,f,g,h,i,j,k';

/** GET /posts with several values of a filter, and with a range of time. */
export const postsLists200: Cases = (stage) => {
  const read = (query: PostsQuery) => readPosts(stage(), { per_page: 50, ...query });
  const tagsOf = async (query: PostsQuery) => {
    const { items } = await read(query);
    return new Set(items.flatMap(({ tags }) => tags));
  };

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
      const any = await read({ 'tag.any': slug });
      expect(any.meta.total).toBeGreaterThan(0);
      for (const { tags } of any.items) expect(tags).toContain(name);
      expect(await tagsOf({ 'tag.not': slug })).not.toContain(name);
    });

    test.each(['c++', 'CPP', 'Golang', 'RUST', 'machine learning', 'unused', 'nothing-like-it', 'one'])(
      'what is no slug finds nothing: %s',
      async (value) => {
        expect((await read({ 'tag.any': value })).meta.total).toBe(0);
        expect((await read({ 'tag.not': value })).meta).toEqual((await read({})).meta);
      },
    );

    test('a filter and its opposite are an empty list', async () => {
      const query = { tag: 'cpp', 'tag.not': 'cpp' };
      expect((await read({ tag: 'cpp' })).meta.total).toBeGreaterThan(0);
      expect((await read(query)).items).toEqual([]);
    });

    test('all forms together, with filters, a search, an order and a range', async () => {
      const all = (await read({})).meta.total;
      const query = {
        'category.not': 'news',
        'author.any': 'ada,Ada',
        sort: 'popular',
        until: '2030-01-01',
      } as const;
      const { total } = (await read(query)).meta;
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThan(all);
      const name = (await read({ ...query, per_page: 1 })).items[0]?.title.slice(0, 3) ?? '';
      expect((await read({ ...query, q: name, page: 1 })).meta.total).toBeGreaterThan(0);
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
        ...{ 'tag.any': 'cpp,go', 'tag.not': 'rust', from: '2001-02-03T04:05:06+01:00', until: '2030-01-01' },
        ...{ per_page: '1', page: '1' },
      });
    });

    test('an offset may have its plus unencoded', async () => {
      const total = async (offset: string) => {
        const reply = await stage().caller.get(`/posts?from=2024-06-01T12:00:00${offset}`);
        expect(reply.status, reply.text).toBe(200);
        return JSON.stringify(reply.json);
      };
      expect(await total('+05:00')).toBe(await total('%2B05:00'));
    });

    test('a range whose ends are equal is empty', async () => {
      expect((await read({ from: '2024-01-01', until: '2024-01-01T00:00:00Z' })).meta.total).toBe(0);
    });

    test('ten values', async () => {
      const { items } = await read({ 'tag.any': ELEVEN.slice(0, 9), 'author.not': 'ada,Ada,x,y,z' });
      expect(items.length).toBeGreaterThan(0);
    });
  });
};
