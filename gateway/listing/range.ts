/** The posts of a range of time: positions are ordered by it. */
import { keyOf } from '../../contract/article-order.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { pageAt } from '../../contract/post-hashes.ts';
import { withViews } from '../../contract/records.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Time } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readPage } from './summaries.ts';

/**
 * The position of the first post at a time or later, or the number of posts. Reads at most one page of summaries.
 *
 * @param time null: `otherwise`
 */
export function positionAt(snapshot: Snapshot, time: Time | null, otherwise: number): MaybePromise<number> {
  if (time === null) return otherwise;
  const { page_times: starts, posts } = snapshot.directory;
  const least = Math.ceil(time.unix); // Articles are ordered by whole seconds.
  const [start] = starts; // A number: no article is before it.
  if (typeof start !== 'number' || start >= least) return 0;
  // The page with the first article of that time or later, or the one before. No slug is less than an empty one.
  const first = pageAt(starts, { time: least, slug: '' });
  return andThen(readPage(snapshot, first), (page) => {
    const index = page.findIndex((summary) => keyOf(withViews(summary, 0)).time >= least);
    return index < 0 ? Math.min(posts, (first + 1) * PAGE_SIZE) : first * PAGE_SIZE + index;
  });
}

/** The number of positions below another. @param positions ascending */
export function countBelow(positions: Uint32Array, position: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
