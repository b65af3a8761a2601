import { describe, expect, test } from 'vitest';
import { changes, wholeArticle } from '../../changes/copy.ts';
import { named } from '../../service/odd-blog.ts';
import { failure, success } from '../shapes.ts';
import { readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

/** Additions to the given interface: `GET /changes`, `include=summary`, lists by slug, `X-Snapshot`. */
export const changes200: Cases = (stage, keys) => {
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
  const expected = () => {
    const { oracle } = stage();
    const slugs = oracle.strings('SELECT slug FROM shown ORDER BY moment, slug');
    const more = oracle.strings(`
      SELECT json_object(
        'updated_at', replace(updated_at, 'Z', '+00:00'),
        'former_slugs', json((SELECT json_group_array(slug ORDER BY slug) FROM former_slugs f
                         WHERE f.post_id = posts.id AND f.slug <> posts.slug)))
      FROM posts JOIN shown USING (id) ORDER BY moment, shown.slug`);
    const summaries = Array.from({ length: Math.ceil(slugs.length / 50) }, (_, page) => {
      return oracle.posts({ sort: 'old', per_page: 50, page: page + 1 }).items;
    }).flat();
    return slugs.map((slug, i): unknown => ({
      ...Object(summaries[i]),
      ...Object(oracle.article(slug)),
      ...Object(JSON.parse(more[i] ?? '')),
    }));
  };
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
        ...{ items: [], removed: [], cursor: null, token, whole: false },
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
      { cursor: btoa('["abcdefghijkl",1,1,true,"a",0,-1]').replaceAll('=', '') },
      { cursor: btoa('["abcdefghijkl",1,1,true,"a","0"]').replaceAll('=', '') },
      { cursor: `${btoa('["abcdefghijkl",1,1,true,"abc",0]').replaceAll('=', '')} ` },
      { cursor: btoa('["abcdefghijkl",1,1,true,"a"]').replaceAll('=', '') },
      { since: 'x'.repeat(9000) },
      { since: '\u0000' },
      { cursor: '!' },
      { cursor: 'W10' },
      { cursor: btoa(`["${'a'.repeat(26)}.1.x","../../../keys/x",0,0,"y"]`) },
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

  describe('/posts/{slug}?include=summary', () => {
    test('adds the fields of lists to the article', async () => {
      for (const item of (await walk(50)).flatMap(({ items }) => items)) {
        const reply = await stage().caller.get(`/posts/${encodeURIComponent(item.slug)}`, {
          query: { include: 'summary' },
        });
        const { updated_at: _, former_slugs: __, ...shown } = item;
        expect(success(wholeArticle).parse(reply.json).data).toEqual(shown);
      }
    });

    test('404 for an unknown article, and 400 for other values', async () => {
      const get = (slug: string, include: string) =>
        stage().caller.get(`/posts/${slug}`, { query: { include } });
      expect((await get('nothing-like-it', 'summary')).status).toBe(404);
      expect((await get(named.full, 'everything')).status).toBe(400);
      expect((await get(named.full, '')).status).toBe(200);
    });
  });

  describe('/posts?slug=', () => {
    const list = async (slug: string) => {
      const reply = await stage().caller.get('/posts', { query: { slug } });
      expect(reply.status, reply.text).toBe(200);
      return reply;
    };

    test('gives the articles with these slugs, in the order of the list', async () => {
      const { items } = await readPosts(stage(), { sort: 'popular', per_page: 50 });
      const wanted = items.filter(({ slug }) => !slug.includes(','));
      const slugs = wanted.map(({ slug }) => slug);
      const reply = await list(['no-such-article', ...slugs, ...slugs.slice(0, 1)].slice(0, 50).join());
      const total = Math.min(slugs.length, 49);
      expect(reply.json).toEqual({
        success: true,
        data: { items: wanted.slice(0, 49), meta: { page: 1, per_page: 50, last_page: 1, total } },
      });
      expect(reply.header('Link')).toBeUndefined();
    });

    test('is empty if no slug exists', async () => {
      expect((await list('nothing,nowhere')).json).toMatchObject({ data: { items: [], meta: { total: 0 } } });
    });
  });

  describe('X-Snapshot', () => {
    test('is the same on every data answer, and exposed to pages', async () => {
      const paths = ['', '/posts', `/posts/${named.full}`, '/changes', '/categories', '/tags', '/authors'];
      const replies = await Promise.all(
        paths.flatMap((path) => [stage().caller.get(path), stage().caller.get(path, { method: 'HEAD' })]),
      );
      const ids = new Set(replies.map((reply) => reply.header('X-Snapshot')));
      expect(ids.size).toBe(1);
      expect([...ids][0]).toMatch(/^[a-z2-7]{26}$/);
      for (const reply of replies)
        expect(reply.header('Access-Control-Expose-Headers')).toContain('X-Snapshot');
    });

    test('is missing on errors', async () => {
      const reply = await stage().caller.get('/posts/nothing-like-it', {
        key: keys().full.key,
      });
      expect(reply.status).toBe(404);
      expect(reply.header('X-Snapshot')).toBeUndefined();
    });
  });
};
