/** The posts of a range of time: positions are ordered by it. */
import { type ArticleKey, compareKeys, parseArticleKey } from '../../contract/article-order.ts';
import { countBefore } from '../../contract/binary-search.ts';
import { pageAt } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Time } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readPage } from './summaries.ts';

/**
 * The position of the first post at a time or later, or the number of posts.
 *
 * @param time null: `otherwise`
 */
export function positionAt(snapshot: Snapshot, time: Time | null, otherwise: number): MaybePromise<number> {
  if (time === null) return otherwise;
  // Articles are ordered by whole seconds. No slug is as small as an empty one.
  return positionAfter(snapshot, { time: Math.ceil(time.unix), slug: '' });
}

/** The position of the first post after a key, or the number of posts. Reads at most one page of summaries. */
export function positionAfter(snapshot: Snapshot, key: ArticleKey): MaybePromise<number> {
  const { page_times: starts, posts } = snapshot.directory;
  const [start] = starts; // A number: no article is before it.
  if (typeof start !== 'number' || start > key.time) return 0;
  const number = pageAt(starts, key);
  return andThen(readPage(snapshot, number), (page) => {
    let position = number * PAGE_SIZE;
    for (const summary of page) {
      if (compareKeys(parseArticleKey(summary), key) > 0) return position;
      position += 1;
    }
    return Math.min(posts, position);
  });
}

/** The number of positions below another. @param positions ascending */
export function countBelow(positions: Uint32Array, position: number): number {
  return countBefore(positions.length, (i) => positions[i]! < position);
}
