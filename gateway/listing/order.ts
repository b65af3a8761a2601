import type { Sort } from '../../contract/api.ts';
import { COLUMN_SIZE, viewsCuts } from '../../contract/columns.ts';
import { byPopularity } from '../../contract/popularity.ts';
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
  return [...(await orderMatching(snapshot, matching)).subarray(from, from + count)];
}

/** Of all posts the order by views is part of the snapshot: columns, then those that nobody has viewed. */
async function cutPopular(snapshot: Snapshot, from: number, count: number): Promise<readonly number[]> {
  const { viewed, posts } = snapshot.directory;
  const end = Math.min(from + count, posts);
  const ranked = from < viewed ? await readRanks(snapshot, from, Math.min(end, viewed)) : [];
  if (end <= viewed) return ranked;
  const others = await readUnviewed(snapshot);
  return [...ranked, ...others.subarray(Math.max(0, from - viewed), end - viewed)];
}

/** The positions of viewed posts from one rank up to another. */
async function readRanks(snapshot: Snapshot, from: number, to: number): Promise<readonly number[]> {
  const first = Math.floor(from / COLUMN_SIZE);
  const hashes = snapshot.directory.popular.slice(first, Math.ceil(to / COLUMN_SIZE));
  const columns = await Promise.all(hashes.map((hash) => snapshot.read('popular', hash)));
  return columns.flatMap((column, i) => {
    const start = (first + i) * COLUMN_SIZE;
    return [...column.subarray(Math.max(0, from - start), to - start)];
  });
}

/** Made once a snapshot, and kept beside it. */
const UNVIEWED = new WeakMap<Snapshot, Uint32Array>();

/** Positions without a view, newest first. */
async function readUnviewed(snapshot: Snapshot): Promise<Uint32Array> {
  const known = UNVIEWED.get(snapshot);
  if (known) return known;
  const { posts, viewed } = snapshot.directory;
  const views = await readViews(snapshot);
  const positions = new Uint32Array(posts - viewed);
  for (let position = posts - 1, i = 0; position >= 0; position--)
    if (views(position) === 0) positions[i++] = position;
  UNVIEWED.set(snapshot, positions);
  return positions;
}

/** Of some posts it is made once a snapshot, and kept beside them. */
const ORDERED = new WeakMap<Matching, Uint32Array>();

async function orderMatching(snapshot: Snapshot, matching: Matching): Promise<Uint32Array> {
  const known = ORDERED.get(matching);
  if (known) return known;
  const views = await readViews(snapshot);
  const ordered = byPopularity(matching.all(), views, snapshot.directory.posts);
  ORDERED.set(matching, ordered);
  return ordered;
}

/** The view counts, by position. */
export async function readViews(snapshot: Snapshot): Promise<(position: number) => number> {
  const { posts, views } = snapshot.directory;
  const second = viewsCuts(posts)[1] ?? posts;
  const [old, recent] = await Promise.all(views.map((hash) => snapshot.read('views', hash)));
  return (position) => (position < second ? old?.[position] : recent?.[position - second]) ?? 0;
}
