import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { queryString, PREFIX, type Parameters } from '../caller.ts';
import { linksOf } from '../fields.ts';
import { paged, success } from '../shapes.ts';
import type { Cases } from './suite.ts';

const list = success(paged(z.looseObject({})));

/** Rules for all paged lists: pages, their bounds, and the links between them. */
export const paging200: Cases = (stage) => {
  describe.each(['/posts', '/authors'] as const)('%s: pages', (path) => {
    const read = async (query: Parameters) => {
      const reply = await stage().caller.get(path, { query });
      expect(reply.status, reply.text).toBe(200);
      const links = linksOf(reply, `${stage().service.url}${PREFIX}${path}${queryString(query)}`);
      return { ...list.parse(reply.json).data, links };
    };

    test.each([1_000, 999_999, 1_000_000])('page %i, beyond the last: empty, correct meta', async (page) => {
      const { items, meta, links } = await read({ page });
      const { total } = (await read({})).meta;
      expect(items).toEqual([]);
      expect(meta).toEqual({ page, per_page: 15, last_page: Math.ceil(total / 15), total });
      expect(links.has('next')).toBe(false);
    });

    test('the links lead through the list and keep the rest of the query', async () => {
      const filter = path === '/posts' ? { q: 'a', sort: 'popular', unknown: 'x&y=z' } : {};
      const first = await read({ per_page: 4, ...filter });
      expect([...first.links.keys()].sort()).toEqual(['first', 'last', 'next']);
      let { links } = first;
      let items = [...first.items];
      for (let page = 2; page <= first.meta.last_page; page += 1) {
        const next = links.get('next');
        if (next === undefined) throw new Error(`Page ${page - 1} has no link to the next one.`);
        for (const [name, value] of Object.entries(filter)) {
          if (name !== 'unknown') expect(next.searchParams.get(name)).toBe(value);
        }
        const reply = await stage().caller.getAbsolute(next.pathname + next.search);
        const { data } = list.parse(reply.json);
        expect(data.meta.page).toBe(page);
        links = linksOf(reply, next.href);
        expect(links.has('next')).toBe(page < first.meta.last_page);
        expect(links.get('prev')?.searchParams.get('page') ?? '1').toBe(String(page - 1));
        expect(links.get('first')?.searchParams.get('page') ?? '1').toBe('1');
        expect(links.get('last')?.searchParams.get('page') ?? '1').toBe(String(first.meta.last_page));
        items = [...items, ...data.items];
      }
      const query = { ...filter, per_page: 50 };
      expect(items.slice(0, 50)).toEqual((await read(query)).items);
    });

    test('a list of one page has no next and no prev', async () => {
      const query = path === '/posts' ? { category: 'empty' } : { per_page: 50 };
      const { links } = await read(query);
      expect([...links.keys()].sort()).toEqual(['first', 'last']);
    });

    test('answers that are not lists have no links', async () => {
      for (const other of ['', '/me', '/tags', '/categories']) {
        expect((await stage().caller.get(other)).header('Link')).toBeUndefined();
      }
    });
  });
};
