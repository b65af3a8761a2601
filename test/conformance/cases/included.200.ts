import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wholeArticle } from '../../changes/copy.ts';
import { named } from '../../service/odd-blog.ts';
import { failure, success, timestamp } from '../shapes.ts';
import { readPosts } from './read-posts.ts';
import { PREFIX, type Cases } from './suite.ts';

const anything = success(z.record(z.string(), z.unknown()));
const list = success(z.object({ items: z.array(z.record(z.string(), z.unknown())) }));
const dated = z.object({
  slug: z.string(),
  title: z.string(),
  url: z.url(),
  updated_at: timestamp.nullable(),
});

/** Additions to the given interface: `include`, lists by slug, and former slugs. */
export const included200: Cases = (stage) => {
  const get = (path: string, query: Record<string, string> = {}) => stage().caller.get(path, { query });
  const pathOf = (slug: string) => `/posts/${encodeURIComponent(slug)}`;
  const article = async (slug: string, include: string) => {
    const reply = await get(pathOf(slug), { include });
    expect(reply.status, reply.text).toBe(200);
    return anything.parse(reply.json).data;
  };
  /** Summary and time of the last change of each article, oldest first. */
  const expected = () =>
    stage()
      .oracle.strings(
        `SELECT json_set(shown.summary, '$.updated_at', replace(updated_at, 'Z', '+00:00'))
         FROM shown JOIN posts USING (id) ORDER BY moment, shown.slug`,
      )
      .map((row) => {
        const { updated_at, ...summary } = z.looseObject(dated.shape).parse(JSON.parse(row));
        const { slug, title, url } = summary;
        return { slug, updated_at, summary, neighbour: { slug, title, url } };
      });

  describe('/posts/{slug}?include=', () => {
    test('summary, dates and neighbours of every article, in any order of the words', async () => {
      const all = expected();
      for (const [i, { slug, updated_at, summary }] of all.entries()) {
        const neighbours = {
          previous: all[i - 1]?.neighbour ?? null,
          next: all[i + 1]?.neighbour ?? null,
        };
        const plain = anything.parse((await get(pathOf(slug))).json).data;
        expect(await article(slug, 'dates')).toEqual({ ...plain, updated_at });
        expect(await article(slug, 'neighbours')).toEqual({ ...plain, ...neighbours });
        const whole = await article(slug, 'summary');
        expect(wholeArticle.parse(whole)).toEqual({ ...plain, ...summary });
        if (i % 9 > 0 && i < all.length - 1) continue;
        for (const include of ['neighbours,dates,summary', 'summary,dates,neighbours'])
          expect(await article(slug, include)).toEqual({ ...whole, updated_at, ...neighbours });
      }
    });

    test('a repeated word is the same as one', async () => {
      expect(await article(named.full, 'dates,dates')).toEqual(await article(named.full, 'dates'));
    });
  });

  test.each([
    {},
    { sort: 'popular', per_page: '50' },
    { category: 'news', sort: 'old' },
    { q: 'title', page: '2' },
    { slug: `${named.bare},${named.full}` },
  ])(
    '/posts?include=dates adds the time of the last change, with any filter, order and page: %j',
    async (query) => {
      const updated = new Map(expected().map(({ slug, updated_at }) => [slug, updated_at]));
      const { items } = list.parse((await get('/posts', query)).json).data;
      const reply = await get('/posts', { ...query, include: 'dates' });
      expect(list.parse(reply.json).data.items).toEqual(
        items.map((item) => ({ ...item, updated_at: updated.get(String(item['slug'])) })),
      );
      expect(items.length).toBeGreaterThan(0);
      for (const link of reply.header('Link')?.split(', ') ?? []) expect(link).toContain('include=dates');
    },
  );

  describe('/posts?slug=', () => {
    test('gives the articles with these slugs, in the order of the list', async () => {
      const { items } = await readPosts(stage(), { sort: 'popular', per_page: 50 });
      const wanted = items.filter(({ slug }) => !slug.includes(',')).slice(0, 48);
      const slugs = wanted.map(({ slug }) => slug);
      const reply = await get('/posts', { slug: ['no-such-article', ...slugs, ...slugs.slice(0, 1)].join() });
      expect(reply.json).toEqual({
        success: true,
        data: { items: wanted, meta: { page: 1, per_page: 50, last_page: 1, total: wanted.length } },
      });
      expect(reply.header('Link')).toBeUndefined();
    });

    test('is empty if no slug exists', async () => {
      const { json } = await get('/posts', { slug: 'nothing,nowhere' });
      expect(json).toMatchObject({ data: { items: [], meta: { total: 0 } } });
    });
  });

  describe('a former slug', () => {
    const [first, second, third] = named.moves;

    test.each([first, second])(
      '404 that names the new one, and 301 with moved=redirect: %s',
      async (slug) => {
        const plain = await get(pathOf(slug));
        expect(plain.status).toBe(404);
        expect(failure.parse(plain.json).message).toContain(`"${third}"`);
        for (const [include, rest] of [
          ['', ''],
          ['neighbours,dates', '?include=dates,neighbours'],
        ] as const) {
          const reply = await get(pathOf(slug), { moved: 'redirect', ...(include && { include }) });
          expect([reply.status, reply.json]).toEqual([301, { success: true, data: { slug: third } }]);
          const location = reply.header('Location') ?? '';
          expect(location).toBe(`${PREFIX}${pathOf(third)}${rest}`);
          const followed = await stage().caller.getAbsolute(location);
          expect(anything.parse(followed.json).data['slug']).toBe(third);
        }
      },
    );

    test('301 to HEAD and with If-None-Match, too', async () => {
      for (const options of [{ method: 'HEAD' }, { headers: { 'if-none-match': '*' } }]) {
        const reply = await stage().caller.get(pathOf(first), { query: { moved: 'redirect' }, ...options });
        expect(reply.status).toBe(301);
      }
    });

    test('is the article that has the slug now', async () => {
      for (const query of [{}, { moved: 'redirect' }]) {
        const reply = await get(pathOf(named.reused), query);
        expect([reply.status, anything.parse(reply.json).data['slug']]).toEqual([200, named.reused]);
      }
      expect((await get(pathOf(`${named.reused}-2`))).status).toBe(200);
    });

    test.each(['draft-address', 'nothing-like-it', named.draft])(
      '404 with moved=redirect: %s',
      async (slug) => {
        const [plain, asked] = [await get(pathOf(slug)), await get(pathOf(slug), { moved: 'redirect' })];
        expect([asked.status, asked.text]).toEqual([404, plain.text]);
        expect(plain.text).not.toContain('moved');
      },
    );
  });
};
