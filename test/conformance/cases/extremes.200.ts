import { expect, test } from 'vitest';
import type { Stage } from '../stage.ts';
import { dataOf, detail, paged, summary } from '../shapes.ts';

const NOTHING = { items: [], meta: { page: 1, per_page: 15, last_page: 1, total: 0 } };

/** A blog without content. */
export function empty200(stage: () => Stage): void {
  test.each([
    ['/posts', NOTHING],
    ['/posts?sort=popular', NOTHING],
    ['/posts?q=a&category=b&tag=c&author=d', NOTHING],
    ['/authors', NOTHING],
    ['/categories', []],
    ['/tags', []],
    ['', expect.anything()],
    ['/posts/a', undefined],
    ['/authors/a', undefined],
  ])('%s', async (path, data) => {
    const { status, json } = await stage().caller.get(path);
    if (data === undefined) expect(status).toBe(404);
    else expect(json).toEqual({ success: true, data });
  });
}

/** Extreme values that the schema allows are returned unchanged. */
export function bounds200(stage: () => Stage): void {
  test('views are exact, and a time has a UTC offset in ISO 8601 format', async () => {
    const { items } = dataOf(
      paged(summary),
      (await stage().caller.get('/posts?sort=popular&per_page=50')).json,
    );
    expect(items.slice(0, 2).map(({ slug, views }) => [slug, views])).toEqual([
      ['most-viewed', Number.MAX_SAFE_INTEGER],
      ['often-viewed', 2 ** 32],
    ]);
    const times = new Map(items.map(({ slug, published_at }) => [slug, published_at]));
    expect(times.get('negative-zero')).toBe('2024-05-01T12:00:00+00:00');
    expect(times.get('zulu')).toBe('2024-05-01T13:00:00+00:00');
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
}
