import { describe, expect, test } from 'vitest';
import type { Stage } from '../stage.ts';

/** A blog without content. */
export function empty200(stage: () => Stage): void {
  describe('a blog without a row', () => {
    const nothing = { items: [], meta: { page: 1, per_page: 15, last_page: 1, total: 0 } };

    test.each([
      ['/posts', nothing],
      ['/posts?sort=popular', nothing],
      ['/posts?q=a&category=b&tag=c&author=d', nothing],
      ['/authors', nothing],
      ['/categories', []],
      ['/tags', []],
    ])('%s', async (path, data) => {
      const reply = await stage().caller.get(path);
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ success: true, data });
    });

    test.each(['/posts/a', '/authors/a'])('%s is 404', async (path) => {
      expect((await stage().caller.get(path)).status).toBe(404);
    });

    test('the overview works', async () => {
      expect((await stage().caller.get('')).status).toBe(200);
    });
  });
}
