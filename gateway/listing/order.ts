import type { Sort } from '../../contract/api.ts';
import { COLUMN_SIZE, viewsCuts } from '../../contract/columns.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Matching } from './matching.ts';

/**
 * The positions of one page of a list: cut from the matching posts in the order asked for.
 *
 * @param from how many come before the page
 */
export async function cutPage(
  snapshot: Snapshot,
  matching: Matching,
  sort: Sort,
  from: number,
  count: number,
): Promise<readonly number[]> {
  if (from >= matching.size) return [];
  if (sort !== 'popular') return matching.cut(from, count, sort);
  if (matching.size === snapshot.directory.posts) return cutPopular(snapshot, from, count);
  return [...(await byPopularity(snapshot, matching)).subarray(from, from + count)];
}

/** Of all posts the order by views is part of the snapshot. */
async function cutPopular(snapshot: Snapshot, from: number, count: number): Promise<readonly number[]> {
  const { popular, posts } = snapshot.directory;
  const end = Math.min(from + count, posts);
  const first = Math.floor(from / COLUMN_SIZE);
  const last = Math.floor((end - 1) / COLUMN_SIZE);
  const columns = await Promise.all(
    popular.slice(first, last + 1).map((hash) => snapshot.read('popular', hash)),
  );
  const positions: number[] = [];
  for (let rank = from; rank < end; rank++) {
    const position = columns[Math.floor(rank / COLUMN_SIZE) - first]?.[rank % COLUMN_SIZE];
    if (position !== undefined) positions.push(position);
  }
  return positions;
}

/** Of some posts it is made once a snapshot, and kept beside them. */
const ORDERED = new WeakMap<Matching, Uint32Array>();

async function byPopularity(snapshot: Snapshot, matching: Matching): Promise<Uint32Array> {
  const known = ORDERED.get(matching);
  if (known) return known;
  const views = await readViews(snapshot);
  const positions = matching.all();
  // Views and position in one number, so that the engine sorts plain numbers: 2^32 views and 2^21 posts.
  const keys = Float64Array.from(positions, (position) => views(position) * POSITIONS + position).sort();
  const ordered = Uint32Array.from(keys.reverse(), (key) => key % POSITIONS);
  ORDERED.set(matching, ordered);
  return ordered;
}

const POSITIONS = 2 ** 21;

/** The view counts, by position. */
export async function readViews(snapshot: Snapshot): Promise<(position: number) => number> {
  const { posts, views } = snapshot.directory;
  const second = viewsCuts(posts)[1] ?? posts;
  const [old, recent] = await Promise.all(views.map((hash) => snapshot.read('views', hash)));
  return (position) => (position < second ? old?.[position] : recent?.[position - second]) ?? 0;
}
