import { describe, expect, test } from 'vitest';
import { changes } from '../../changes/copy.ts';
import { failure } from '../shapes.ts';
import { DATA_ENDPOINTS, type Cases } from './suite.ts';

const encoded = (cursor: string) => btoa(cursor).replaceAll('=', '');

/** Additions to the given interface: `GET /changes`, and `X-Snapshot`. */
export const changes200: Cases = (stage) => {
  const read = async (query: Record<string, string> = {}) => {
    const reply = await stage().caller.get('/changes', { query });
    expect(reply.status, reply.text).toBe(200);
    return changes.parse(reply.json).data;
  };
  const walk = async (perPage: number) => {
    const pages = [await read({ per_page: String(perPage) })];
    for (let cursor = pages[0]?.cursor; typeof cursor === 'string'; cursor = pages.at(-1)?.cursor) {
      pages.push(await read({ per_page: String(perPage), cursor }));
    }
    return pages;
  };
  /** Summary, detail and further fields of each article, oldest first, from the oracle, without `content`. */
  const expected = () =>
    stage()
      .oracle.strings(
        `SELECT json_array(json(shown.summary), json(shown.detail_without_content), json_object(
           'updated_at', replace(updated_at, 'Z', '+00:00'),
           'former_slugs', json((SELECT json_group_array(slug ORDER BY slug) FROM former_slugs f
                                 WHERE f.post_id = posts.id AND f.slug <> posts.slug))))
         FROM posts JOIN shown USING (id) ORDER BY moment, shown.slug`,
      )
      .map((row): unknown => Object.assign({}, ...JSON.parse(row)));
  const withoutContent = ({ content: _, ...rest }: { readonly content: string }): unknown => rest;

  describe('/changes: 200', () => {
    test.each([1, 7, 50])(
      'gives every article with all its fields, oldest first, %i a page',
      async (perPage) => {
        const pages = await walk(perPage);
        const items = pages.flatMap((page) => page.items);
        expect(items.map(withoutContent)).toEqual(expected());
        for (const { items: some } of pages.slice(0, -1)) expect(some.length).toBe(perPage);
        expect(new Set(pages.map(({ whole, removed }) => `${whole} ${removed.length}`))).toEqual(
          new Set(['true 0']),
        );
        expect(pages.map(({ token }) => token !== null)).toEqual(pages.map(({ cursor }) => cursor === null));
      },
    );

    test('gives the texts of the articles', async () => {
      for (const { slug, content, seo } of (await walk(50)).flatMap(({ items }) => items)) {
        const reply = await stage().caller.get(`/posts/${encodeURIComponent(slug)}`);
        expect(reply.json).toMatchObject({ data: { slug, content, seo } });
      }
    });

    test('gives no changes since the current token', async () => {
      const token = (await walk(50)).at(-1)?.token ?? '';
      expect(await read({ since: token })).toEqual({
        items: [],
        removed: [],
        cursor: null,
        token,
        whole: false,
        lists: { categories: false, tags: false, authors: false },
      });
    });

    test('gives everything for an unknown token', async () => {
      const token = (await walk(50)).at(-1)?.token ?? '';
      const [number] = token.split('.');
      const other = `${number}.other-record`;
      expect(await read({ since: other, per_page: '50' })).toEqual(await read({ per_page: '50' }));
    });

    test.each([
      { since: 'x' },
      { since: '01.abcdefghijkl' },
      { since: '1.abcdefghijkl\n' },
      { cursor: encoded('["abcdefghijkl",1,1,true,"a",0,-1]') },
      { cursor: encoded('["abcdefghijkl",1,1,true,"a","0"]') },
      { cursor: `${encoded('["abcdefghijkl",1,1,true,"abc",0]')} ` },
      { cursor: encoded('["abcdefghijkl",1,1,true,"a"]') },
      { since: 'x'.repeat(9000) },
      { since: '\u0000' },
      { cursor: '!' },
      { cursor: 'W10' },
      { cursor: encoded(`["${'a'.repeat(26)}.1.x","../../../keys/x",0,0,"y"]`) },
      { cursor: 'x'.repeat(9000) },
    ])('400: %j', async (query) => {
      const reply = await stage().caller.get('/changes', { query });
      expect(reply.status).toBe(400);
      expect(failure.parse(reply.json).message).toMatch(new RegExp(`^${Object.keys(query)[0]} must be `));
    });

    test('ignores empty values', async () => {
      expect(await read({ since: '', cursor: '' })).toEqual(await read());
    });
  });

  test('X-Snapshot is the same on every data answer, exposed to pages, and missing on errors', async () => {
    const paths = DATA_ENDPOINTS.flatMap((path) => [
      stage().caller.get(path),
      stage().caller.get(path, { method: 'HEAD' }),
    ]);
    const replies = await Promise.all(paths);
    const ids = new Set(replies.map((reply) => reply.header('X-Snapshot')));
    expect([...ids]).toEqual([expect.stringMatching(/^[a-z2-7]{26}$/)]);
    for (const reply of replies)
      expect(reply.header('Access-Control-Expose-Headers')).toContain('X-Snapshot');
    const missing = await stage().caller.get('/posts/nothing-like-it');
    expect([missing.status, missing.header('X-Snapshot')]).toEqual([404, undefined]);
  });
};
