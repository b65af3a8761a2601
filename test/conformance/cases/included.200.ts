import { describe, expect, test } from 'vitest';
import { named } from '../../service/odd-blog.ts';
import { failure, success } from '../shapes.ts';
import { z } from 'zod';
import { PREFIX, type Cases } from './suite.ts';

const anything = success(z.record(z.string(), z.unknown()));
const list = success(z.object({ items: z.array(z.record(z.string(), z.unknown())) }));

/** Additions to the given interface: `include` and former slugs. */
export const included200: Cases = (stage, keys) => {
  const get = (path: string, query: Record<string, string> = {}) => stage().caller.get(path, { query });
  const pathOf = (slug: string) => `/posts/${encodeURIComponent(slug)}`;
  const article = async (slug: string, include: string) => {
    const reply = await get(pathOf(slug), { include });
    expect(reply.status, reply.text).toBe(200);
    return anything.parse(reply.json).data;
  };
  /** Slug, title, address and time of the last change of each article, oldest first. */
  const expected = () =>
    stage()
      .oracle.strings(
        `SELECT json_object('slug', shown.slug, 'title', title, 'url', shown.summary ->> 'url',
           'updated_at', replace(updated_at, 'Z', '+00:00'))
         FROM shown JOIN posts USING (id) ORDER BY moment, shown.slug`,
      )
      .map((row): { slug: string; title: string; url: string; updated_at: string | null } => JSON.parse(row));

  describe('/posts/{slug}?include=', () => {
    test('dates and neighbours of every article, in any order of the words', async () => {
      const all = expected();
      for (const [i, { slug, updated_at: updatedAt }] of all.entries()) {
        const [previous, next] = [all[i - 1], all[i + 1]].map((one) =>
          one ? { slug: one.slug, title: one.title, url: one.url } : null,
        );
        const plain = anything.parse((await get(pathOf(slug))).json).data;
        expect(await article(slug, 'dates')).toEqual({ ...plain, updated_at: updatedAt });
        expect(await article(slug, 'neighbours')).toEqual({ ...plain, previous, next });
        if (i % 9 > 0 && i < all.length - 1) continue;
        const summary = await article(slug, 'summary');
        const whole = { ...plain, ...summary, updated_at: updatedAt, previous, next };
        for (const include of ['neighbours,dates,summary', 'summary,dates,neighbours'])
          expect(await article(slug, include)).toEqual(whole);
      }
    });

    test.each(['everything', 'dates,', ',', 'dates,Dates', ' dates'])(
      '400: "%s", with the words',
      async (include) => {
        const reply = await get(pathOf(named.full), { include });
        expect(reply.status).toBe(400);
        expect(failure.parse(reply.json).message).toContain('summary, dates, neighbours');
      },
    );

    test('a repeated word is the same as one', async () => {
      expect(await article(named.full, 'dates,dates')).toEqual(await article(named.full, 'dates'));
    });
  });

  describe('/posts?include=dates', () => {
    test('adds the time of the last change, with any filter, order and page', async () => {
      const updated = new Map(expected().map(({ slug, updated_at: at }) => [slug, at]));
      const [category] = stage().oracle.strings(
        "SELECT slug FROM categories WHERE slug = 'notes' OR 1 LIMIT 1",
      );
      const queries = [
        {},
        { sort: 'popular', per_page: '50' },
        { category: category ?? '', sort: 'old' },
        { q: 'title', page: '2' },
        { slug: `${named.bare},${named.full}` },
      ];
      for (const query of queries) {
        const plain = await get('/posts', query);
        const dated = await get('/posts', { ...query, include: 'dates' });
        expect(dated.status, dated.text).toBe(200);
        const { items } = list.parse(plain.json).data;
        expect(list.parse(dated.json).data.items).toEqual(
          items.map((item) => ({ ...item, updated_at: updated.get(String(item['slug'])) })),
        );
        expect(items.length).toBeGreaterThan(0);
        for (const link of dated.header('Link')?.split(', ') ?? []) expect(link).toContain('include=dates');
      }
    });

    test.each(['summary', 'neighbours', 'dates,neighbours'])('400: %s', async (include) => {
      const reply = await get('/posts', { include });
      expect(reply.status).toBe(400);
      expect(failure.parse(reply.json).message).toContain('dates');
    });
  });

  describe('a former slug', () => {
    const [first, second, third] = named.moves;

    test.each([first, second])('404 that names the new one: %s', async (slug) => {
      const reply = await get(pathOf(slug));
      expect(reply.status).toBe(404);
      expect(failure.parse(reply.json).message).toContain(`"${third}"`);
    });

    test.each([first, second])('301 with moved=redirect, whose Location is the article: %s', async (slug) => {
      for (const [include, rest] of [
        ['', ''],
        ['neighbours,dates', '?include=dates,neighbours'],
      ] as const) {
        const reply = await get(pathOf(slug), { moved: 'redirect', ...(include && { include }) });
        expect([reply.status, reply.json]).toEqual([301, { success: true, data: { slug: third } }]);
        const location = reply.header('Location') ?? '';
        expect(location).toBe(`${PREFIX}${pathOf(third)}${rest}`);
        expect(reply.header('Cache-Control')).toBe('private, max-age=60');
        expect(Number(reply.header('X-Quota-Used'))).toBeGreaterThan(0);
        const followed = await stage().caller.getAbsolute(location);
        expect(anything.parse(followed.json).data['slug']).toBe(third);
      }
    });

    test('301 to HEAD and with If-None-Match, too', async () => {
      for (const options of [{ method: 'HEAD' }, { headers: { 'if-none-match': '*' } }])
        expect(
          (await stage().caller.get(pathOf(first), { query: { moved: 'redirect' }, ...options })).status,
        ).toBe(301);
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
        const replies = [await get(pathOf(slug)), await get(pathOf(slug), { moved: 'redirect' })];
        expect(replies.map(({ status }) => status)).toEqual([404, 404]);
        const [plain, asked] = replies.map(({ json }) => failure.parse(json).message);
        expect(asked).toBe(plain);
        expect(plain).not.toContain('moved');
      },
    );

    test('400 for another value of moved, 403 without the permission, also for a former slug', async () => {
      expect((await get(pathOf(first), { moved: 'yes' })).status).toBe(400);
      const { key } = keys().taxonomy;
      expect((await stage().caller.get(pathOf(first), { query: { moved: 'redirect' }, key })).status).toBe(
        403,
      );
    });
  });
};
