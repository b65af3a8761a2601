import { countBits, hasBit, intersect, positionsIn, wordsFor } from '../../contract/bitmap.ts';
import { FILTER_NAMES, type FilterName, FILTERS } from '../../contract/filters.ts';
import type { NameEntry } from '../../contract/name-table.ts';
import { termsOf } from '../../contract/search/search-text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { bitsOf, search } from './search.ts';

/** The value of each filter; empty: not given. */
export type Filters = Readonly<Record<FilterName, string>>;

/** The posts that match a combination of filters and a search, ready to be paged. */
export interface Matching {
  readonly size: number;
  /** Its size in memory. */
  readonly bytes: number;
  /** Returns `count` positions, ascending, from index `from`; there must be as many. */
  readonly slice: (from: number, count: number) => Uint32Array;
}

/** The set of an unknown name. */
const NOTHING = new Uint32Array();

/** The posts that match all filters and the search. */
export function matchFilters(snapshot: Snapshot, filters: Filters, q: string): MaybePromise<Matching> {
  const { posts } = snapshot.directory;
  const terms = termsOf(q);
  const read = givenFilters(filters).map((name) =>
    andThen(findSet(snapshot, name, filters[name]), (entry) =>
      entry === null ? NOTHING : andThen(snapshot.read('set', entry[1]), ({ positions }) => positions),
    ),
  );
  return andThen(all(read), (sets) => {
    if (terms.length === 0 || sets.includes(NOTHING)) return intersection(sets, undefined, posts);
    return andThen(search(snapshot, terms, sets), (found) => intersection(sets, found, posts));
  });
}

/** The filters in a query. */
export function givenFilters(filters: Filters): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => filters[name] !== '');
}

/** The entry of a filter value's set, or null. */
export function findSet(snapshot: Snapshot, name: FilterName, value: string): MaybePromise<NameEntry | null> {
  const { table, key } = FILTERS[name];
  return snapshot.find(table, key(value));
}

/**
 * The intersection of all sets: a list if they are few, a bitmap if they are many, so time and memory grow with the number
 * of posts divided by 32. Members of the smallest set are looked up in the others; if it is large, bitmaps are combined 32
 * positions at a time.
 *
 * @param sets ascending positions
 * @param found the bitmap of a search, if any
 */
function intersection(sets: readonly Uint32Array[], found: Uint32Array | undefined, posts: number): Matching {
  const [smallest, ...others] = [...sets].sort((a, b) => a.length - b.length);
  if (!smallest) return found ? bitmap(found) : everything(posts);

  if (others.length === 0 && !found) return list(smallest);
  const tests = [...others.map((set) => bitsOf(set)), ...(found ? [found] : [])];
  if (smallest.length <= wordsFor(posts)) {
    return list(smallest.filter((position) => tests.every((bits) => hasBit(bits, position))));
  }
  const bits = bitsOf(smallest).slice();
  for (const test of tests) intersect(bits, test);
  return bitmap(bits);
}

function everything(posts: number): Matching {
  const slice = (from: number, count: number) => new Uint32Array(count).map((_, i) => from + i);
  return { size: posts, bytes: 0, slice };
}

function list(positions: Uint32Array): Matching {
  const slice = (from: number, count: number) => positions.subarray(from, from + count);
  return { size: positions.length, bytes: positions.byteLength, slice };
}

function bitmap(bits: Uint32Array): Matching {
  const slice = (from: number, count: number) => positionsIn(bits, from, count);
  return { size: countBits(bits), bytes: bits.byteLength, slice };
}
