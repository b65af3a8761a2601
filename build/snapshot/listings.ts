import { envelope } from '../../contract/api.ts';
import { COLUMN_SIZE, decodeColumn, encodeColumn } from '../../contract/columns.ts';
import type { Directory } from '../../contract/directory.ts';
import type { NameTable } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-hash.ts';
import { encodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { byPopularity } from '../../contract/popularity.ts';
import type { Taxonomy, Term } from './blog.ts';
import type { StoredSet } from './memory.ts';
import { writeNames } from './names.ts';
import type { ObjectStore } from './object-writer.ts';
import { batchesOf } from './parallel.ts';
import { renderAuthor, renderTerms } from './render.ts';
import type { Sets } from './sets.ts';
import type { Site } from './site.ts';

/** Categories, tags and authors: their lists, and the table of authors by username. */
export function buildTerms(
  site: Site,
  { categories, tags, authors }: Taxonomy,
  sets: Sets,
  writer: ObjectStore,
): Pick<Directory, 'authors' | 'categories' | 'tags' | 'author_pages'> & {
  readonly author: NameTable;
} {
  const sizeOf = (set: StoredSet | undefined) => set?.size ?? 0;

  const listedCategories = sortedBy(
    categories.values(),
    ({ name }) => name,
    ({ slug }) => slug,
  );
  const listedTags = sortedBy(
    [...tags.values()].filter(({ id }) => sets.tag.has(id)),
    ({ id }) => -sizeOf(sets.tag.get(id)),
    ({ name }) => name,
    ({ slug }) => slug,
  );
  const listedAuthors = sortedBy(
    [...authors.values()].filter(({ id }) => sets.author.has(id)),
    ({ id }) => -sizeOf(sets.author.get(id)),
    ({ username }) => username,
  );
  const withCount = (terms: readonly Term[], of: Sets['tag']) =>
    terms.map((term) => ({ ...term, posts: sizeOf(of.get(term.id)) }));
  const records = listedAuthors.map((author) =>
    renderAuthor(site, author, sizeOf(sets.author.get(author.id))),
  );

  return {
    authors: listedAuthors.length,
    categories: writer.put(
      'categories',
      renderTerms(site, 'category', withCount(listedCategories, sets.category)),
    ),
    tags: writer.put('tags', renderTerms(site, 'tag', withCount(listedTags, sets.tag))),
    author_pages: Array.from(batchesOf(records, PAGE_SIZE), (page) =>
      writer.put('authors', encodePage(page)),
    ),
    author: writeNames(
      listedAuthors.map(({ username }, i) => [username, writer.put('author', envelope(records[i] ?? ''))]),
      writer,
    ),
  };
}

/**
 * View counts by position, and the order by views. Both change everywhere, so each build rewrites them.
 *
 * @param views of all posts of the snapshot, by position
 */
export function buildColumns(
  views: readonly number[],
  writer: ObjectStore,
): Pick<Directory, 'viewed' | 'views' | 'popular'> {
  const seen: number[] = [];
  for (const [position, count] of views.entries()) if (count > 0) seen.push(position);
  const viewed = byPopularity(seen, (position) => views[position] ?? 0, views.length);
  return {
    viewed: viewed.length,
    views: columnsOf('views', views, writer),
    popular: columnsOf('popular', [...viewed], writer),
  };
}

/**
 * The columns of the last build with more posts, all of them without views. Reading and sorting all view counts of a
 * million posts takes 0.6 s.
 *
 * @param added the view counts of posts after those of the last build
 * @returns undefined if a post has views
 */
export function appendToColumns(
  { posts, viewed, views, popular }: Directory,
  added: readonly number[],
  store: ObjectStore,
): ReturnType<typeof buildColumns> | undefined {
  if (added.some((count) => count > 0)) return undefined;
  const full = Math.floor(posts / COLUMN_SIZE);
  const last = views[full];
  const unfinished = [...(last === undefined ? [] : decodeColumn(store.read('views', last))), ...added];
  return { viewed, views: [...views.slice(0, full), ...columnsOf('views', unfinished, store)], popular };
}

function columnsOf(kind: 'views' | 'popular', numbers: readonly number[], store: ObjectStore): ObjectHash[] {
  return Array.from(batchesOf(numbers, COLUMN_SIZE), (column) => store.put(kind, encodeColumn(column)));
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
