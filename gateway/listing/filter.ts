import type { NameTableName } from '../../contract/directory.ts';
import { FILTER_NAMES, FILTERS } from '../../contract/filters.ts';
import { termsOf } from '../../contract/search-text.ts';
import type { PostsQuery } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import { everything, fromList, intersection, type Matching } from './matching.ts';
import type { PositionSet } from './position-set.ts';
import { search } from './search.ts';

const NOTHING = fromList(new Uint32Array());

/** The posts that match every filter, and the search. */
export function matchFilters(
  snapshot: Snapshot,
  { filters, q }: Pick<PostsQuery, 'filters' | 'q'>,
): Soon<Matching> {
  const { posts } = snapshot.directory;
  const terms = termsOf(q);
  const asked = FILTER_NAMES.filter((name) => filters[name] !== '');
  if (asked.length === 0 && terms.length === 0) return everything(posts);

  const read = asked.map((name) => {
    const { table, key } = FILTERS[name];
    return readSet(snapshot, table, key(filters[name]));
  });
  return andThen(all(read), (sets) => {
    const known = sets.filter((set) => set !== null);
    if (known.length < sets.length) return NOTHING;
    if (terms.length === 0) return intersection(known, undefined, posts);

    const within = known.map(({ positions }) => positions);
    return andThen(search(snapshot, terms, within), (found) => intersection(known, found, posts));
  });
}

/** The set of a name; null: the blog has no such name, and so no such post. */
function readSet(snapshot: Snapshot, table: NameTableName, name: string): Soon<PositionSet | null> {
  return andThen(snapshot.find(table, name), (hash) => (hash === null ? null : snapshot.read('set', hash)));
}
