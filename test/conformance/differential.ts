import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Blog } from '../service/blogs.ts';
import { cases, SEED } from '../random-cases.ts';
import type { Home } from '../service/home.ts';
import { pageQueries, postsQueries } from './queries.ts';
import { author, category, dataOf, detail, paged, summary, tag } from './shapes.ts';
import { useStage } from './stage.ts';

/** Active markup. The words may appear in an article's text. */
const HOSTILE =
  /<(?:script|style|object|form)\b|<[^>]*\s(?:on[a-z]+=|(?:href|src)=["']?\s*(?:javascript|vbscript):)/i;

const LISTS = cases(60);
const AUTHOR_LISTS = cases(15);

/** Compares a whole blog on `home` with the SQL oracle: every record, and random lists. */
export function describeDifferential(
  home: Home,
  name: string,
  makeBlog: () => Promise<Blog>,
  lists: number = LISTS,
): void {
  describe(`${home.name}: ${name} equals the oracle, seed ${SEED}`, () => {
    const stage = useStage(home, makeBlog);
    const read = async <T extends z.ZodType>(shape: T, path: string, query = {}) => {
      const reply = await stage().caller.get(path, { query });
      expect(reply.status, reply.text).toBe(200);
      return dataOf(shape, reply.json);
    };

    test(`${lists} random lists of posts`, async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(postsQueries(stage().oracle), async (query) => {
          const expected = stage().oracle.posts(query);
          expect(await read(paged(summary), '/posts', query)).toEqual(expected);
          if (expected.meta.total > 0) found += 1;
        }),
        { seed: SEED, numRuns: lists },
      );
      // Empty lists prove little.
      expect(found).toBeGreaterThan(lists / 4);
    });

    test(`${AUTHOR_LISTS} random lists of authors`, async () => {
      await fc.assert(
        fc.asyncProperty(pageQueries, async (query) => {
          expect(await read(paged(author), '/authors', query)).toEqual(stage().oracle.authors(query));
        }),
        { seed: SEED, numRuns: AUTHOR_LISTS },
      );
    });

    test('all categories and tags', async () => {
      expect(await read(z.array(category), '/categories')).toEqual(stage().oracle.categories());
      expect(await read(z.array(tag), '/tags')).toEqual(stage().oracle.tags());
    });

    test('every article, and 404 for unpublished ones', async () => {
      const slugs = stage().oracle.strings('SELECT slug FROM posts ORDER BY id');
      for (const slug of slugs) {
        const expected = stage().oracle.article(slug);
        const path = `/posts/${encodeURIComponent(slug)}`;
        if (expected === null) {
          expect((await stage().caller.get(path)).status, slug).toBe(404);
          continue;
        }
        const { content, ...rest } = await read(detail, path);
        expect(rest).toEqual(expected);
        expect(content, slug).not.toMatch(HOSTILE);
      }
    });

    test('every author', async () => {
      const usernames = stage().oracle.strings('SELECT username FROM authors');
      for (const username of usernames) {
        const reply = await stage().caller.get(`/authors/${encodeURIComponent(username)}`);
        const expected = stage().oracle.author(username);
        if (expected === null) expect(reply.status, username).toBe(404);
        else expect(reply.json).toEqual({ success: true, data: expected });
      }
    });
  });
}
