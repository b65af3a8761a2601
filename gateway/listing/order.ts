import { PER_PAGE_MAX, type Sort } from '../../contract/api.ts';
import { COLUMN_SIZE } from '../../contract/columns.ts';
import { byPopularity } from '../../contract/popularity.ts';
import { memoised } from '../memoised.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Matching } from './filter.ts';

/** View counts, by position. */
type Views = (position: number) => number;

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
  const wanted = Math.min(count, matching.size - from);
  if (sort === 'old') return [...matching.slice(from, wanted)];
  if (sort === 'new') return [...matching.slice(matching.size - from - wanted, wanted)].reverse();
  const { posts } = snapshot.directory;
  if (matching.size === posts) return cutPopular(snapshot, from, from + wanted);
  const few = matching.size <= PER_PAGE_MAX ? [...matching.slice(0, matching.size)] : undefined;
  return andThen(readViews(snapshot, few), (views) => [
    ...byViews(matching, { views, posts }).subarray(from, from + count),
  ]);
}

/** For all posts the order by views is in the snapshot: columns, followed by the posts without views. */
function cutPopular(snapshot: Snapshot, from: number, end: number): MaybePromise<readonly number[]> {
  const { viewed } = snapshot.directory;
  return andThen(from < viewed ? readRanks(snapshot, from, Math.min(end, viewed)) : [], (ranked) => {
    if (end <= viewed) return ranked;
    return andThen(readViews(snapshot), (views) => [
      ...ranked,
      ...unviewed(snapshot, views).subarray(Math.max(0, from - viewed), end - viewed),
    ]);
  });
}

/** The positions of viewed posts, ranks `from` up to `to`. */
function readRanks(snapshot: Snapshot, from: number, to: number): MaybePromise<readonly number[]> {
  const first = Math.floor(from / COLUMN_SIZE);
  const hashes = snapshot.directory.popular.slice(first, Math.ceil(to / COLUMN_SIZE));
  return andThen(all(hashes.map((hash) => snapshot.read('popular', hash))), (columns) =>
    columns.flatMap((column, i) => {
      const start = (first + i) * COLUMN_SIZE;
      return column.slice(Math.max(0, from - start), to - start);
    }),
  );
}

/** Positions without views, newest first. Computed once for each snapshot. */
const unviewed = memoised(({ directory: { posts, viewed } }: Snapshot, views: Views) => {
  const positions = new Uint32Array(posts - viewed);
  for (let position = posts - 1, i = 0; position >= 0; position--)
    if (views(position) === 0) positions[i++] = position;
  return positions;
});

/** Matching posts, most views first. Computed once for each Matching. */
const byViews = memoised((matching: Matching, { views, posts }: { views: Views; posts: number }) =>
  byPopularity(matching.slice(0, matching.size), views, posts),
);

/**
 * The view counts, by position. Only the columns of the posts that are needed are read.
 *
 * @param of the positions needed; undefined: all
 */
export function readViews(snapshot: Snapshot, of?: readonly number[]): MaybePromise<Views> {
  const { views } = snapshot.directory;
  const columnOf = (position: number) => Math.floor(position / COLUMN_SIZE);
  const needed = of && new Set(of.map(columnOf));
  const columns = views.map((hash, column) =>
    !needed || needed.has(column) ? snapshot.read('views', hash) : undefined,
  );
  return andThen(
    all(columns),
    (read) => (position) => read[columnOf(position)]?.[position % COLUMN_SIZE] ?? 0,
  );
}
