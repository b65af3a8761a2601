import type { Sort } from '../../contract/api.ts';
import { clearBit, hasBit } from '../../contract/bitmap.ts';
import { byPopularity, COLUMN_SIZE } from '../../contract/popularity.ts';
import { memoised } from '../memoised.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { bitmap, type Matching } from './matching.ts';

/** View counts, by position. */
type ViewsAt = (position: number) => number;

/**
 * The positions of one page: cut from the matching posts in the given order.
 *
 * @param from index of the page's first post
 */
export function cutPage(
  snapshot: Snapshot,
  matching: Matching,
  sort: Sort,
  from: number,
  count: number,
): MaybePromise<readonly number[]> {
  if (from >= matching.size) return [];
  const end = Math.min(from + count, matching.size);
  if (sort === 'old') return [...matching.slice(from, end - from)];
  if (sort === 'new') return newestFirst(matching, from, end);
  const { posts } = snapshot.directory;
  // Sorting a post takes as long as passing 32. So a page takes at most about √(posts × its end) steps.
  if (matching.size < posts && 32 * matching.size ** 2 <= posts * end) {
    const all = matching.slice(0, matching.size);
    return andThen(readViews(snapshot, all), (views) => [
      ...byViews(matching, { positions: all, views, posts }).subarray(from, end),
    ]);
  }
  return cutRanked(snapshot, matching, from, end);
}

/** From index `from` up to `end`, newest first. */
function newestFirst({ size, slice }: Pick<Matching, 'size' | 'slice'>, from: number, end: number): number[] {
  return [...slice(size - end, end - from)].reverse();
}

/** Matching posts, most views first. Computed once for each Matching. */
const byViews = memoised(
  (_: Matching, { positions, views, posts }: { positions: Uint32Array; views: ViewsAt; posts: number }) =>
    byPopularity(positions, views, posts),
);

/**
 * A page of the order by views, which the snapshot has for all posts: passes those that do not match, until the page is full.
 * Behind the viewed posts are the others, newest first.
 */
function cutRanked(
  snapshot: Snapshot,
  matching: Matching,
  from: number,
  end: number,
): MaybePromise<readonly number[]> {
  const { popular, posts, viewed } = snapshot.directory;
  const isAll = matching.size === posts;
  const bits = isAll ? undefined : matching.bits();
  const page: number[] = [];
  // All posts match: their ranks are known.
  const first = isAll ? Math.min(Math.floor(from / COLUMN_SIZE), popular.length) : 0;
  let passed = Math.min(first * COLUMN_SIZE, viewed);
  /** Columns in parallel: as many as the page is likely to take. */
  const likely = Math.ceil((end * posts) / matching.size / COLUMN_SIZE) - first;

  const walk = (column: number): MaybePromise<readonly number[]> => {
    if (passed === end) return page;
    if (column >= popular.length) return andThen(findWithoutViews(snapshot, matching), addWithoutViews);
    const hashes = popular.slice(column, column + likely);
    return andThen(all(hashes.map((hash) => snapshot.read('numbers', hash))), (columns) => {
      for (const positions of columns) {
        for (const position of positions) {
          if (bits && !hasBit(bits, position)) continue;
          if (passed >= from) page.push(position);
          if (++passed === end) return page;
        }
      }
      return walk(column + hashes.length);
    });
  };
  const addWithoutViews = (withoutViews: Pick<Matching, 'size' | 'slice'>): readonly number[] => [
    ...page,
    ...newestFirst(withoutViews, Math.max(0, from - passed), end - passed),
  ];
  return walk(first);
}

/** Matching posts without views. Computed once for each Matching. */
function findWithoutViews(snapshot: Snapshot, matching: Matching): MaybePromise<Matching> {
  const columns = all(snapshot.directory.popular.map((hash) => snapshot.read('numbers', hash)));
  return andThen(columns, (viewed) => withoutViews(matching, viewed));
}

const withoutViews = memoised((matching: Matching, viewed: readonly (readonly number[])[]) => {
  const bits = matching.bits().slice();
  for (const column of viewed) for (const position of column) clearBit(bits, position);
  return bitmap(bits);
});

/**
 * The view counts, by position. Only the columns of the posts that are needed are read.
 *
 * @param of the positions needed
 */
export function readViews(snapshot: Snapshot, of: readonly number[] | Uint32Array): MaybePromise<ViewsAt> {
  const { views } = snapshot.directory;
  const columns: MaybePromise<readonly number[]>[] = [];
  for (let i = 0; i < of.length; i++) {
    const column = columnIndex(of[i]!);
    columns[column] ??= snapshot.read('numbers', views[column] ?? '');
  }
  return andThen(
    all(columns),
    (read) => (position) => read[columnIndex(position)]?.[position % COLUMN_SIZE] ?? 0,
  );
}

function columnIndex(position: number): number {
  return Math.floor(position / COLUMN_SIZE);
}
