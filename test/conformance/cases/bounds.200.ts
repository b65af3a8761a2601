import { describe, expect, test } from 'vitest';
import type { Stage } from '../stage.ts';
import { dataOf, detail, paged, summary } from '../shapes.ts';

/** Extreme values that the schema allows are returned unchanged. */
export function bounds200(stage: () => Stage): void {
  describe('extreme values', () => {
    const summaryOf = async (slug: string) => {
      const reply = await stage().caller.get('/posts?per_page=50');
      return dataOf(paged(summary), reply.json).items.find((item) => item.slug === slug);
    };

    test('views are exact', async () => {
      expect((await summaryOf('most-viewed'))?.views).toBe(Number.MAX_SAFE_INTEGER);
      expect((await summaryOf('often-viewed'))?.views).toBe(2 ** 32);
      const reply = await stage().caller.get('/posts?sort=popular&per_page=2');
      const { items } = dataOf(paged(summary), reply.json);
      expect(items.map(({ slug }) => slug)).toEqual(['most-viewed', 'often-viewed']);
    });

    test('a time has a UTC offset in ISO 8601 format', async () => {
      expect((await summaryOf('negative-zero'))?.published_at).toBe('2024-05-01T12:00:00+00:00');
      expect((await summaryOf('zulu'))?.published_at).toBe('2024-05-01T13:00:00+00:00');
    });

    test.each([
      {},
      { sort: 'old' },
      { sort: 'popular' },
      { q: 'needle' },
      { q: 'xxneedle' },
      { q: '\u6587needle' },
      { q: '\u65877-end' },
      { q: 'long' },
      { tag: 'tag-199' },
    ] as const)('lists are complete: %j', async (query) => {
      const reply = await stage().caller.get('/posts', { query: { ...query, per_page: 50 } });
      const expected = stage().oracle.posts({ ...query, per_page: 50 });
      expect(dataOf(paged(summary), reply.json)).toEqual(expected);
    });

    test.each([
      ['long-body', 'Long '.repeat(399_998).trim().length],
      ['deep-body', 'deep'.length],
    ])('a body is complete: %s', async (slug, letters) => {
      const { content } = dataOf(detail, (await stage().caller.get(`/posts/${slug}`)).json);
      expect(content.length).toBeGreaterThanOrEqual(letters);
      expect(content).toMatch(/Long|deep/);
    });
  });
}
