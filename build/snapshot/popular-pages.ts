import { COLUMN_SIZE, decodeColumn } from '../../contract/columns.ts';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-hash.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { encodePopularPage, POPULAR_POSTS } from '../../contract/popular-pages.ts';
import { haveSummaries } from '../../contract/sets.ts';
import type { ObjectStore } from './object-writer.ts';
import { batchesOf } from './parallel.ts';

/** The pages of the most viewed posts (contract/popular-pages.ts). Reads a page of summaries for each at most. */
export function makePopularPages(
  { posts, pages, views, popular }: Pick<Directory, 'posts' | 'pages' | 'views' | 'popular'>,
  store: ObjectStore,
): ObjectHash[] {
  const [most] = popular;
  if (most === undefined || !haveSummaries(posts)) return [];
  const pageAt = remembering((page) => decodePage(store.read('page', pages[page] ?? '')));
  const viewsAt = remembering((column) => decodeColumn(store.read('views', views[column] ?? '')));
  const top = decodeColumn(store.read('popular', most)).slice(0, POPULAR_POSTS);
  return Array.from(batchesOf(top, PAGE_SIZE), (positions) =>
    store.put(
      'popular_page',
      encodePopularPage(
        positions.map((at) => viewsAt(Math.floor(at / COLUMN_SIZE))[at % COLUMN_SIZE] ?? 0),
        positions.map((at) => pageAt(Math.floor(at / PAGE_SIZE))[at % PAGE_SIZE] ?? ''),
      ),
    ),
  );
}

function remembering<T>(read: (index: number) => T): (index: number) => T {
  const known = new Map<number, T>();
  return (index) => {
    const value = known.get(index) ?? read(index);
    known.set(index, value);
    return value;
  };
}
