import {
  bitmapBetween,
  countBits,
  hasBit,
  intersect,
  positionsIn,
  setBit,
  subtract,
  wordsFor,
} from '../../contract/bitmap.ts';
import {
  FILTER_NAMES,
  type FilterName,
  FILTERS,
  LIST_NAMES,
  type ListName,
  LISTS,
} from '../../contract/filters.ts';
import type { NameEntry } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { parseTerms } from '../../contract/search/search-text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Time } from '../parameters.ts';
import { bitmap, everything, getBitmap, list, type Matching } from './matching.ts';
import { countBelow, positionAt } from './range.ts';
import { search } from './search.ts';

/** The values of each filter and of its forms; empty: not given. */
export type Filters = Readonly<Record<FilterName, string> & Record<ListName, readonly string[]>>;

/** Which posts a list has. */
export interface Selection {
  readonly filters: Filters;
  readonly from: Time | null;
  readonly until: Time | null;
  readonly q: string;
}

/** The set of an unknown name. */
const NOTHING = new Uint32Array();

/** The posts that match all filters, the range of time and the search. */
export function matchFilters(snapshot: Snapshot, selection: Selection): MaybePromise<Matching> {
  const { filters, from, until, q } = selection;
  const { posts } = snapshot.directory;
  const terms = parseTerms(q);
  const lists = givenLists(filters);
  const single = givenFilters(filters).map((name) =>
    readSet(snapshot, findSet(snapshot, name, filters[name])),
  );
  const listed = lists.map((name) =>
    all(filters[name].map((value) => readSet(snapshot, findExactSet(snapshot, LISTS[name].filter, value)))),
  );
  const range = all([positionAt(snapshot, from, 0), positionAt(snapshot, until, posts)]);
  return andThen(all([all([all(single), all(listed)]), range]), ([[filtered, found], [start, end]]) => {
    const wanted = [...filtered];
    const unwanted: Uint32Array[] = [];
    for (const [i, name] of lists.entries()) {
      const { form } = LISTS[name];
      const sets = found[i] ?? [];
      if (form === 'not') unwanted.push(...sets);
      else wanted.push(...(form === 'any' ? [union(sets, posts)] : sets));
    }
    const within =
      end - start === posts
        ? wanted
        : wanted.map((set) => set.subarray(countBelow(set, start), countBelow(set, end)));
    if (start >= end || within.some(({ length }) => length === 0)) return list(NOTHING);
    const result = terms.length === 0 ? undefined : search(snapshot, terms, within);
    return andThen(result, (bits) => combine({ within, unwanted, found: bits, start, end }));
  });
}

function readSet(snapshot: Snapshot, found: MaybePromise<NameEntry | null>): MaybePromise<Uint32Array> {
  return andThen(found, (entry) => (entry === null ? NOTHING : snapshot.read('positions', entry[1])));
}

function union(sets: readonly Uint32Array[], posts: number): Uint32Array {
  const [first = NOTHING, ...others] = sets;
  if (others.length === 0) return first;
  const bits = new Uint32Array(wordsFor(posts));
  for (const set of sets) for (const position of set) setBit(bits, position);
  return positionsIn(bits, 0, countBits(bits));
}

/** Whether a list has all posts. */
export function selectsAll({ filters, from, until, q }: Selection): boolean {
  return (
    givenFilters(filters).length === 0 && givenLists(filters).length === 0 && !from && !until && q === ''
  );
}

/** The lines of the newest posts that match, if a filter alone selects posts and has such lines; null: none. */
export function findNewest(
  snapshot: Snapshot,
  { filters, from, until, q }: Selection,
): MaybePromise<ObjectHash | null> {
  const [name, ...others] = givenFilters(filters);
  if (name === undefined || others.length > 0 || givenLists(filters).length > 0 || from || until || q !== '')
    return null;
  return andThen(findSet(snapshot, name, filters[name]), (entry) =>
    typeof entry?.[2] === 'string' ? entry[2] : null,
  );
}

function givenFilters(filters: Filters): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => filters[name] !== '');
}

function givenLists(filters: Filters): readonly ListName[] {
  return LIST_NAMES.filter((name) => filters[name].length > 0);
}

/** The entry of a filter value's set, or null. */
function findSet(snapshot: Snapshot, name: FilterName, value: string): MaybePromise<NameEntry | null> {
  const { table, key } = FILTERS[name];
  return snapshot.find(table, key(value));
}

/** The entry of the set with this exact slug or username, or null. */
function findExactSet(snapshot: Snapshot, name: FilterName, value: string): MaybePromise<NameEntry | null> {
  const row = FILTERS[name];
  if (!('exactTable' in row)) return findSet(snapshot, name, value);
  return andThen(snapshot.find(row.exactTable, value), (exact) => {
    if (exact !== null || row.key(value) !== value) return exact;
    const isNoValue = snapshot.find(row.exactTable, `\n${value}`);
    return andThen(isNoValue, (entry) => (entry === null ? findSet(snapshot, name, value) : null));
  });
}

interface Parts {
  /** Ascending positions from `start` up to `end`. */
  readonly within: readonly Uint32Array[];
  /** Ascending positions of posts to leave out. */
  readonly unwanted: readonly Uint32Array[];
  /** The bitmap of a search, if any. */
  readonly found: Uint32Array | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * The intersection of all sets without the unwanted ones: a list if they are few, a bitmap if they are many, so time and
 * memory grow with the number of posts divided by 32. Members of the smallest set are looked up in the others; if it is
 * large, bitmaps are combined 32 positions at a time.
 */
function combine({ within, unwanted, found, start, end }: Parts): Matching {
  const [smallest, ...others] = [...within].sort((a, b) => a.length - b.length);
  if (others.length === 0 && !found && unwanted.length === 0) {
    return smallest ? list(smallest) : everything(start, end);
  }
  const tests = [...others.map((set) => getBitmap(set)), ...(found ? [found] : [])];
  const excluded = unwanted.map((set) => getBitmap(set));
  if (smallest && smallest.length <= wordsFor(end)) return list(filterPositions(smallest, tests, excluded));
  const bits = smallest ? getBitmap(smallest).slice() : bitmapBetween(start, end);
  for (const test of tests) intersect(bits, test);
  for (const others of excluded) subtract(bits, others);
  return bitmap(bits);
}

/** The positions that are in all of some bitmaps and in none of others. Plain loops: a list of two filters spends a third of its time here. */
function filterPositions(
  positions: Uint32Array,
  within: readonly Uint32Array[],
  without: readonly Uint32Array[],
): Uint32Array {
  const kept = new Uint32Array(positions.length);
  let count = 0;
  for (const position of positions) {
    let isKept = true;
    for (let i = 0; isKept && i < within.length; i++) isKept = hasBit(within[i]!, position);
    for (let i = 0; isKept && i < without.length; i++) isKept = !hasBit(without[i]!, position);
    if (isKept) kept[count++] = position;
  }
  return kept.slice(0, count);
}
