import type { Sort } from '../../contract/api.ts';
import { COLUMN_SIZE, viewsCuts } from '../../contract/columns.ts';
import { byPopularity } from '../../contract/popularity.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import type { Matching } from './matching.ts';

/**
 * The positions of one page of a list: cut from the matching posts in the order asked for.
 *
 * @param from how many come before the page
 */
export function cutPage(
  snapshot: Snapshot,
  matching: Matching,
  sort: Sort,
  from: number,
  count: number,
): Soon<readonly number[]> {
  if (from >= matching.size) return [];
  if (sort !== 'popular') return matching.cut(from, count, sort);
  if (matching.size === snapshot.directory.posts) return cutPopular(snapshot, from, count);
  return andThen(orderMatching(snapshot, matching), (ordered) => [...ordered.subarray(from, from + count)]);
}

/** Of all posts the order by views is part of the snapshot: columns, then those that nobody has viewed. */
function cutPopular(snapshot: Snapshot, from: number, count: number): Soon<readonly number[]> {
  const { viewed, posts } = snapshot.directory;
  const end = Math.min(from + count, posts);
  return andThen(from < viewed ? readRanks(snapshot, from, Math.min(end, viewed)) : [], (ranked) => {
    if (end <= viewed) return ranked;
    return andThen(readUnviewed(snapshot), (others) => [
      ...ranked,
      ...others.subarray(Math.max(0, from - viewed), end - viewed),
    ]);
  });
}

/** The positions of viewed posts from one rank up to another. */
function readRanks(snapshot: Snapshot, from: number, to: number): Soon<readonly number[]> {
  const first = Math.floor(from / COLUMN_SIZE);
  const hashes = snapshot.directory.popular.slice(first, Math.ceil(to / COLUMN_SIZE));
  return andThen(all(hashes.map((hash) => snapshot.read('popular', hash))), (columns) =>
    columns.flatMap((column, i) => {
      const start = (first + i) * COLUMN_SIZE;
      return [...column.subarray(Math.max(0, from - start), to - start)];
    }),
  );
}

/** Made once a snapshot, and kept beside it. */
const UNVIEWED = new WeakMap<Snapshot, Uint32Array>();

/** Positions without a view, newest first. */
function readUnviewed(snapshot: Snapshot): Soon<Uint32Array> {
  const known = UNVIEWED.get(snapshot);
  if (known) return known;
  const { posts, viewed } = snapshot.directory;
  return andThen(readViews(snapshot), (views) => {
    const positions = new Uint32Array(posts - viewed);
    for (let position = posts - 1, i = 0; position >= 0; position--)
      if (views(position) === 0) positions[i++] = position;
    UNVIEWED.set(snapshot, positions);
    return positions;
  });
}

/** Of some posts it is made once a snapshot, and kept beside them. */
const ORDERED = new WeakMap<Matching, Uint32Array>();

function orderMatching(snapshot: Snapshot, matching: Matching): Soon<Uint32Array> {
  const known = ORDERED.get(matching);
  if (known) return known;
  return andThen(readViews(snapshot), (views) => {
    const ordered = byPopularity(matching.all(), views, snapshot.directory.posts);
    ORDERED.set(matching, ordered);
    return ordered;
  });
}

/** The view counts, by position. */
export function readViews(snapshot: Snapshot): Soon<(position: number) => number> {
  const { posts, views } = snapshot.directory;
  const second = viewsCuts(posts)[1] ?? posts;
  return andThen(
    all(views.map((hash) => snapshot.read('views', hash))),
    ([old, recent]) =>
      (position) =>
        (position < second ? old?.[position] : recent?.[position - second]) ?? 0,
  );
}
