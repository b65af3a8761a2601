import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { category, success, tag } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /categories and GET /tags. */
export const taxonomy200: Cases = (stage) => {
  describe('/categories: 200', () => {
    const read = async () => {
      const reply = await stage().caller.get('/categories');
      expect(reply.status).toBe(200);
      return success(z.array(category)).parse(reply.json).data;
    };

    test('lists every category by name, with its count of published posts', async () => {
      expect(await read()).toEqual(stage().oracle.categories());
    });

    test('includes those without published posts, with 0', async () => {
      const counts = new Map((await read()).map(({ slug, posts_count }) => [slug, posts_count]));
      expect(counts.get('empty')).toBe(0);
      expect(counts.get('drafts-only')).toBe(0);
      expect(counts.get('news')).toBeGreaterThan(0);
    });

    test('each count equals the total of the filtered list', async () => {
      for (const { slug, posts_count } of await read()) {
        if (slug.length > 200) continue;
        const reply = await stage().caller.get('/posts', { query: { category: slug, per_page: 1 } });
        expect(reply.json, slug).toMatchObject({ data: { meta: { total: posts_count } } });
      }
    });
  });

  describe('/tags: 200', () => {
    const read = async () => {
      const reply = await stage().caller.get('/tags');
      expect(reply.status).toBe(200);
      return success(z.array(tag)).parse(reply.json).data;
    };

    test('lists every tag with a published post, most used first, then by name', async () => {
      const tags = await read();
      expect(tags).toEqual(stage().oracle.tags());
      const slugs = tags.map(({ slug }) => slug);
      expect(slugs).not.toContain('unused');
      expect(slugs).not.toContain('drafts-only');
    });

    test('each tag’s slug and name find its posts', async () => {
      for (const { slug, name, posts_count } of await read()) {
        for (const value of [slug, name, name.replaceAll(' ', '-')]) {
          const reply = await stage().caller.get('/posts', { query: { tag: value, per_page: 1 } });
          expect(reply.json, value).toMatchObject({ success: true });
          const { meta } = z
            .looseObject({ data: z.looseObject({ meta: z.looseObject({ total: z.int() }) }) })
            .parse(reply.json).data;
          expect(meta.total, value).toBeGreaterThanOrEqual(posts_count);
        }
      }
    });
  });
};
