import type { NameTableName } from '../../contract/directory.ts';
import { FILTER_NAMES, FILTERS } from '../../contract/filters.ts';
import { termsOf } from '../../contract/search-text.ts';
import type { PostsQuery } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import { intersection, Matching } from './matching.ts';
import { search } from './search.ts';

/** The set of a name that the blog does not have. */
const NOTHING = new Uint32Array();

/** The posts that match every filter, and the search. */
export function matchFilters(
  snapshot: Snapshot,
  { filters, q }: Pick<PostsQuery, 'filters' | 'q'>,
): Soon<Matching> {
  const { posts } = snapshot.directory;
  const terms = termsOf(q);
  const read = FILTER_NAMES.filter((name) => filters[name] !== '').map((name) => {
    const { table, key } = FILTERS[name];
    return readSet(snapshot, table, key(filters[name]));
  });
  return andThen(all(read), (sets) => {
    if (terms.length === 0 || sets.includes(NOTHING)) return intersection(sets, undefined, posts);
    return andThen(search(snapshot, terms, sets), (found) => intersection(sets, found, posts));
  });
}

function readSet(snapshot: Snapshot, table: NameTableName, name: string): Soon<Uint32Array> {
  return andThen(snapshot.find(table, name), (hash) =>
    hash === null ? NOTHING : snapshot.read('set', hash),
  );
}
