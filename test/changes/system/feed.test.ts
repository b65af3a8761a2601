/** Feeds from several parts of the record, by one gateway: each begins elsewhere, in any order. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pointerOf } from '../../build/output.ts';
import { editing, publish, shortBlog } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { gatewayOf } from '../service.ts';

const page = z.object({
  data: z.object({
    items: z.array(z.object({ slug: z.string() })),
    cursor: z.string().nullable(),
    token: z.string().nullable(),
  }),
});

/** A part has more than 256 changes. */
const POSTS = 800;

test('a feed has each article once, at its last change, whatever was read before', async () => {
  const { db, out } = blogPaths();
  shortBlog(db, POSTS, 6);
  await publish(db, out);
  const service = await gatewayOf(out);
  const step = async (query: Record<string, string>) =>
    page.parse(await service.get('/changes', { per_page: '50', ...query })).data;
  let cursor: string | null = '';
  let token: string | null = null;
  while (cursor !== null) ({ cursor, token } = await step({ cursor }));

  const tokens: string[] = [];
  const changed: string[][] = [];
  for (const which of ['id % 3 = 0', 'id % 3 = 1', 'id % 3 = 2 OR id % 5 = 0']) {
    tokens.push(token ?? '');
    editing(db, (blog) => blog.exec(`UPDATE posts SET title = title || '!' WHERE ${which}`));
    await publish(db, out, { force: true });
    await service.refresh();
    const sql = `SELECT slug FROM posts WHERE status = 'published' AND (${which})`;
    changed.push(editing(db, (blog) => blog.prepare<[], string>(sql).pluck().all()).sort());
    token = `${pointerOf(out).changes?.number}.${pointerOf(out).changes?.epoch}`;
  }
  expect(pointerOf(out).changes?.parts.length).toBeGreaterThan(1);

  for (const first of [2, 0, 1, 2, 0]) {
    const since = changed.slice(first);
    const wanted = since.flatMap((slugs, i) =>
      slugs.filter((slug) => !since.slice(i + 1).some((later) => later.includes(slug))),
    );
    const shown: string[] = [];
    let next = await step({ since: tokens[first] ?? '' });
    for (;;) {
      shown.push(...next.items.map(({ slug }) => slug));
      if (next.cursor === null) break;
      next = await step({ cursor: next.cursor });
    }
    expect(shown).toEqual(wanted);
    expect(next.token).toBe(token);
  }
});
