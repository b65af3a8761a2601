import type { NameTableName } from '../../contract/directory.ts';
import { tagKey } from '../../contract/name-table.ts';
import { termsOf } from '../../contract/search-text.ts';
import type { PostsQuery } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import { everything, fromList, intersection, type Matching } from './matching.ts';
import type { PositionSet } from './position-set.ts';
import { search } from './search.ts';

/** What a list is narrowed by. A new filter is one more entry here, and one more parameter. */
export type Filters = Pick<PostsQuery, 'category' | 'tag' | 'author' | 'q'>;

const SETS: readonly {
  readonly filter: keyof Filters;
  readonly table: NameTableName;
  key(value: string): string;
}[] = [
  { filter: 'category', table: 'in_category', key: (slug) => slug },
  { filter: 'tag', table: 'with_tag', key: tagKey },
  { filter: 'author', table: 'by_author', key: (username) => username },
];

const NOTHING = fromList(new Uint32Array());

/** The posts that match every filter. */
export function matchFilters(snapshot: Snapshot, filters: Filters): Soon<Matching> {
  const { posts } = snapshot.directory;
  const terms = termsOf(filters.q);
  const asked = SETS.filter(({ filter }) => filters[filter] !== '');
  if (asked.length === 0 && terms.length === 0) return everything(posts);

  const read = asked.map(({ filter, table, key }) => readSet(snapshot, table, key(filters[filter])));
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
