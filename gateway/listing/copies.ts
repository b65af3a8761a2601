/** Copies of summaries, which lists need most, near each other: those of the newest posts of a set, and the most viewed ones. */
import type { Sort } from '../../contract/api.ts';
import { MOST_VIEWED } from '../../contract/popularity.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { newestIn } from '../../contract/sets.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { findNewest, type Selection, selectsAll } from './filter.ts';

/** Lines with copies of all summaries of a page. */
export interface Copies {
  readonly hash: ObjectHash;
  /** The index of the copy of the `i`th summary. */
  readonly toIndex: (i: number) => number;
}

/** A page of a list: its first place, the one behind its last, and those of the whole list. */
interface Places {
  readonly from: number;
  readonly end: number;
  readonly total: number;
}

/** The copies for a page; undefined: it has summaries without one. */
type CopiesOn = (places: Places) => Copies | undefined;

/**
 * The copies for pages of a list; undefined: there are none. They are only read where pages are read as a whole: where a record
 * is a read of its own, a copy would be another one in memory.
 */
export function findCopies(
  snapshot: Snapshot,
  selection: Selection,
  sort: Sort,
): MaybePromise<CopiesOn | undefined> {
  const { directory, objects } = snapshot;
  if (objects.readsRecords) return undefined;
  const { posts, viewed, most_viewed: mostViewed } = directory;
  if (sort === 'popular') {
    if (mostViewed === null || !selectsAll(selection)) return undefined;
    const copied = Math.min(MOST_VIEWED, viewed);
    return ({ from, end }) => (end > copied ? undefined : { hash: mostViewed, toIndex: (i) => from + i });
  }
  return andThen(findNewest(snapshot, selection), (hash) => {
    if (hash === null) return undefined;
    const copiesOn: CopiesOn = ({ from, end, total }) => {
      // The first of them, by its place from the oldest.
      const first = total - newestIn(total, posts);
      if ((sort === 'new' ? total - end : from) < first) return undefined;
      return { hash, toIndex: (i) => (sort === 'new' ? total - 1 - from - i : from + i) - first };
    };
    // Lines are read while the posts are: a page may need them next.
    return sort === 'old' ? copiesOn : andThen(objects.readRecords(hash, []), () => copiesOn);
  });
}
