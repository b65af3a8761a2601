import { FILTER_NAMES, type FilterName, FILTERS } from '../../contract/filters.ts';
import type { NameEntry } from '../../contract/name-table.ts';
import { termsOf } from '../../contract/search-text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { intersection, Matching } from './matching.ts';
import { search } from './search.ts';

/** The value of each filter; empty: not given. */
export type Filters = Readonly<Record<FilterName, string>>;

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
