/** A blog so large that its view counts are in several columns: what its lists show, and what they read. */
import { expect, onTestFailed, test } from 'vitest';
import { z } from 'zod';
import { Random } from '../../bench/generate/random.ts';
import { makeColumns } from '../../build/snapshot/listings.ts';
import { MemoryObjects } from '../../build/snapshot/memory-objects.ts';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { encodePage } from '../../contract/pages.ts';
import { NO_LIMIT, policyFor } from '../../contract/policy.ts';
import { encodeSummary } from '../../contract/records.ts';
import { encodePositions } from '../../contract/sets.ts';
import { FORMAT, PAGE_SIZE } from '../../contract/snapshot.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { newTally, peekRequest } from '../../gateway/quota.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { cases, SEED } from '../random-cases.ts';

const POSTS = 200_000;
const LIMITS = { day: { address: NO_LIMIT, user: NO_LIMIT, admin: NO_LIMIT }, minute: NO_LIMIT };

const random = new Random(SEED, 1);
/** Most posts have few views, and a third none. */
const views = Array.from({ length: POSTS }, () =>
  random.below(3) === 0 ? 0 : Math.floor(2 ** (random.below(2000) / 100)),
);
/** Posts from everywhere. */
const members = [...new Set(Array.from({ length: 150 }, () => random.below(POSTS)))].sort((a, b) => a - b);
/** So many that a page by views is found in the order of all posts. */
const oldest = Array.from({ length: POSTS }, (_, position) => position);
const many = oldest.filter(() => random.chance(0.2));

/** Its reads, without those of pages of summaries, which are made when they are read. */
class Store implements Pick<SnapshotStore, 'readObject' | 'hashObject'> {
  readonly objects = new MemoryObjects();
  reads: { kind: ObjectKind; bytes: number }[] = [];

  readObject(kind: ObjectKind, hash: string) {
    if (/^\d+$/.test(hash)) return Promise.resolve(new TextEncoder().encode(pageOf(Number(hash))));
    const bytes = this.objects.read(kind, hash);
    this.reads.push({ kind, bytes: bytes.length });
    return Promise.resolve(bytes);
  }
  hashObject(bytes: Uint8Array) {
    return this.objects.hashObject(bytes);
  }
}

const store = new Store();
const setOf = (positions: number[]) => store.objects.put('positions', encodePositions(positions));
const { byViews: _, ...columns } = makeColumns(views, store.objects);
const directory: Directory = {
  format: FORMAT,
  posts: POSTS,
  authors: 0,
  policy: policyFor(LIMITS),
  site: { name: 'Blog' },
  overview: '',
  categories: '',
  tags: '',
  files: [],
  author_pages: [],
  suffixes: [],
  page_times: [],
  most_viewed: null,
  pages: Array.from({ length: POSTS / PAGE_SIZE }, (_, page) => String(page)),
  ...columns,
  names: {
    post: { inline: [] },
    author: { inline: [] },
    with_tag: {
      inline: [
        ['all-over', setOf(members)],
        ['many', setOf(many)],
      ],
    },
  },
};
const peek: ConstructorParameters<typeof Gateway>[1]['peek'] = (principal) =>
  peekRequest(newTally(), principal, LIMITS, 0);
const gateway = new Gateway(
  { find: () => null, now: Date.now },
  { count: peek, peek },
  { reportError: console.error },
);

function pageOf(page: number): string {
  const slugs = Array.from({ length: PAGE_SIZE }, (_, i) => String(page * PAGE_SIZE + i));
  const empty = { title: '', description: null, cover: null, tags: [] };
  return encodePage(slugs.map((slug) => ({ summary: encodeSummary({ slug, ...empty }), body: '' })));
}

const isList = z.object({
  data: z.object({ items: z.array(z.object({ slug: z.string(), views: z.number() })) }),
});

/** Positions and views in the list, and the columns that a gateway read for it which had nothing in memory. */
async function ask(query: string) {
  const snapshot = new Snapshot('', directory, new Objects(store, 2 ** 26), 2 ** 20);
  store.reads = [];
  const target = `/api/public/v1/posts?${query}`;
  const request = { method: 'GET', target, header: () => undefined, addressId: () => 'address:one' };
  const { status, body } = await gateway.handle(request, snapshot);
  expect(status, query).toBe(200);
  const { data } = isList.parse(JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())));
  const columns = store.reads.filter(({ kind }) => kind === 'numbers');
  return { items: data.items.map((item) => [Number(item.slug), item.views]), columns };
}

const inOrder = (sort: string, positions: readonly number[]) =>
  sort === 'old'
    ? [...positions]
    : [...positions].sort((a, b) => (sort === 'new' ? 0 : (views[b] ?? 0) - (views[a] ?? 0)) || b - a);
const LISTS = Object.entries({ '': oldest, 'tag=all-over&': members, 'tag=many&': many });
const inAllOrders = LISTS.flatMap(([filter, all]) =>
  ['new', 'old', 'popular'].map((sort) => [`${filter}sort=${sort}`, inOrder(sort, all)] as const),
);

test('every list has the posts and view counts of plain sorting', async () => {
  onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}`));
  for (let i = 0; i < cases(200); i++) {
    const [list, all] = random.pick(inAllOrders);
    const perPage = random.between(1, 50);
    const page = random.between(1, random.pick([3, Math.ceil(all.length / perPage)]));
    const query = `${list}&per_page=${perPage}&page=${page}`;
    const shown = all.slice((page - 1) * perPage, page * perPage);
    expect((await ask(query)).items, query).toEqual(shown.map((at) => [at, views[at]]));
  }
});

test('a list reads no more columns than it has posts, one or two if they are neighbours, and no large one', async () => {
  for (let page = 1; page <= POSTS / 50; page += 397) {
    const { columns } = await ask(`sort=new&per_page=50&page=${page}`);
    expect(columns.length, `page ${page}`).toBeLessThanOrEqual(2);
    for (const { bytes } of columns) expect(bytes, `page ${page}`).toBeLessThan(125_000);
  }
  for (const count of [1, 2, 3]) {
    const { items, columns } = await ask(`tag=all-over&sort=old&per_page=${count}`);
    expect(items).toHaveLength(count);
    expect(columns.length).toBeLessThanOrEqual(count);
  }
});
