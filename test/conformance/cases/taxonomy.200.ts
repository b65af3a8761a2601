import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { author, category, dataOf, paged, tag } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /categories, GET /tags and GET /authors. */
export const taxonomy200: Cases = (stage) => {
  const read = async <T extends z.ZodType>(shape: T, path: string, query = {}) => {
    const reply = await stage().caller.get(path, { query });
    expect(reply.status, reply.text).toBe(200);
    return dataOf(shape, reply.json);
  };
  const totalOf = async (query: Record<string, string>) =>
    (await read(paged(z.unknown()), '/posts', { ...query, per_page: 1 })).meta.total;

  describe('/categories, /tags and /authors: 200', () => {
    test('every category by name, with the number of posts that its filter finds', async () => {
      const categories = await read(z.array(category), '/categories');
      expect(categories).toEqual(stage().oracle.categories());
      const counts = new Map(categories.map(({ slug, posts_count }) => [slug, posts_count]));
      expect([counts.get('empty'), counts.get('drafts-only')]).toEqual([0, 0]);
      for (const { slug, posts_count } of categories)
        if (slug.length <= 200) expect(await totalOf({ category: slug }), slug).toBe(posts_count);
    });

    test('every tag with a published post, whose slug and name find its posts', async () => {
      const tags = await read(z.array(tag), '/tags');
      expect(tags).toEqual(stage().oracle.tags());
      const slugs = tags.map(({ slug }) => slug);
      for (const absent of ['unused', 'drafts-only']) expect(slugs).not.toContain(absent);
      for (const { slug, name, posts_count } of tags)
        for (const value of [slug, name, name.replaceAll(' ', '-')])
          expect(await totalOf({ tag: value }), value).toBeGreaterThanOrEqual(posts_count);
    });

    test('every author with a published post, alone and in the list', async () => {
      const { items } = await read(paged(author), '/authors', { per_page: 50 });
      expect(items).toEqual(stage().oracle.authors({ per_page: 50 }).items);
      const names = items.map(({ username }) => username);
      expect(names).toEqual(expect.arrayContaining(['ada', 'Ada', '__proto__', '...']));
      for (const absent of ['idle', 'drafter', 'planner']) expect(names).not.toContain(absent);
      for (const one of items.filter(({ username }) => /^ada$/i.test(username)))
        expect(await read(author, `/authors/${one.username}`)).toEqual(one);
    });
  });
};
