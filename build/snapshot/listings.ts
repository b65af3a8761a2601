import { envelope } from '../../contract/api.ts';
import type { Directory } from '../../contract/directory.ts';
import type { NameTable } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-hash.ts';
import { encodeLines } from '../../contract/lines.ts';
import { byPopularity, COLUMN_SIZE, MOST_VIEWED } from '../../contract/popularity.ts';
import { PACKED_POSTS, PAGE_SIZE } from '../../contract/snapshot.ts';
import type { Post, Taxonomy, Term } from './blog.ts';
import { hashInputs, type Making } from './memory.ts';
import { writeNames } from './names.ts';
import type { ObjectStore } from './object-writer.ts';
import { postInputs } from './pages.ts';
import { splitBatches } from './parallel.ts';
import { renderAuthor, renderTerms } from './render.ts';
import { type MadeSet, putSummaries, type Sets, summariesAt } from './sets.ts';
import type { Site } from './site.ts';

/** Categories, tags and authors: their lists, and the table of authors by username. */
export function makeTerms(
  site: Site,
  { categories, tags, authors }: Taxonomy,
  sets: Sets,
  store: ObjectStore,
): Pick<Directory, 'authors' | 'categories' | 'tags' | 'author_pages'> & {
  readonly author: NameTable;
} {
  const countPosts = (set: MadeSet | undefined) => set?.positions.length ?? 0;

  const listedCategories = sortedBy(
    categories.values(),
    ({ name }) => name,
    ({ slug }) => slug,
  );
  const listedTags = sortedBy(
    [...tags.values()].filter(({ id }) => sets.tag.has(id)),
    ({ id }) => -countPosts(sets.tag.get(id)),
    ({ name }) => name,
    ({ slug }) => slug,
  );
  const listedAuthors = sortedBy(
    [...authors.values()].filter(({ id }) => sets.author.has(id)),
    ({ id }) => -countPosts(sets.author.get(id)),
    ({ username }) => username,
  );
  const withCount = (terms: readonly Term[], of: Sets['tag']) =>
    terms.map((term) => ({ ...term, posts: countPosts(of.get(term.id)) }));
  const records = listedAuthors.map((author) =>
    renderAuthor(site, author, countPosts(sets.author.get(author.id))),
  );

  return {
    authors: listedAuthors.length,
    categories: store.put('body', renderTerms(site, 'category', withCount(listedCategories, sets.category))),
    tags: store.put('body', renderTerms(site, 'tag', withCount(listedTags, sets.tag))),
    author_pages: Array.from(splitBatches(records, PAGE_SIZE), (page) =>
      store.put('lines', encodeLines(page.map((text) => ({ text })))),
    ),
    author: writeNames(
      listedAuthors.map(({ username }, i) => [username, store.put('body', envelope(records[i] ?? ''))]),
      store,
    ),
  };
}

/**
 * View counts by position, and the order by views. Both change everywhere, so each build rewrites them.
 *
 * @param views of all posts of the snapshot, by position
 */
export function makeColumns(
  views: readonly number[],
  store: ObjectStore,
): Pick<Directory, 'viewed' | 'views' | 'popular'> & { readonly byViews: Uint32Array } {
  const seen: number[] = [];
  for (const [position, count] of views.entries()) if (count > 0) seen.push(position);
  const byViews = byPopularity(seen, (position) => views[position] ?? 0, views.length);
  return {
    byViews,
    viewed: byViews.length,
    views: writeColumns(views, store),
    popular: writeColumns([...byViews], store),
  };
}

function writeColumns(numbers: readonly number[], store: ObjectStore): ObjectHash[] {
  return Array.from(splitBatches(numbers, COLUMN_SIZE), (column) =>
    store.put('numbers', JSON.stringify(column)),
  );
}

/** The most viewed posts. Those that are the same, and look the same, are known. */
export function makeMostViewed(
  byViews: Uint32Array,
  { posts, taxonomy }: { readonly posts: readonly Post[]; readonly taxonomy: Taxonomy },
  pages: readonly ObjectHash[],
  memory: Making,
  store: ObjectStore,
): ObjectHash | null {
  if (posts.length <= PACKED_POSTS || byViews.length === 0) return null;
  const positions = [...byViews.subarray(0, MOST_VIEWED)];
  const shown = positions.map((position) => posts[position]!);
  return memory.make(hashInputs('most viewed', positions.join(), ...postInputs(shown, taxonomy)), () =>
    putSummaries(positions, summariesAt(positions, pages, store), store),
  );
}

/**
 * Sorts by the first key that differs: numbers by value, texts by code point as in SQLite. A locale would depend on the
 * machine.
 */
function sortedBy<T>(items: Iterable<T>, ...keys: ((item: T) => number | string)[]): T[] {
  const keyed = [...items].map((item) => ({
    item,
    keys: keys.map((key) => {
      const value = key(item);
      return typeof value === 'number' ? value : Buffer.from(value);
    }),
  }));
  keyed.sort((a, b) => {
    for (const [i, key] of a.keys.entries()) {
      const other = b.keys[i];
      const order =
        typeof key === 'number'
          ? key - Number(other)
          : Buffer.isBuffer(other)
            ? Buffer.compare(key, other)
            : 0;
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}
