import type { Directory } from '../contract/directory.ts';
import { envelope } from '../contract/api.ts';
import { COLUMN_SIZE, encodeRanks, encodeViews, viewsCuts } from '../contract/columns.ts';
import { type NameEntries, type NameTable, shardCount, shardOf, tagKey } from '../contract/name-table.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import { encodePage, PAGE_SIZE } from '../contract/pages.ts';
import { encodeSet } from '../contract/positions.ts';
import type { Blog, ExportedPost, Term } from './blog.ts';
import type { ObjectWriter } from './object-writer.ts';
import { renderAuthor, renderTerms } from './render.ts';
import { cutsEvery } from './runs.ts';

/** The part of the directory that follows from numbers alone: who belongs where, and how often seen. */
type Listings = Pick<
  Directory,
  'viewed' | 'authors' | 'categories' | 'tags' | 'author_pages' | 'views' | 'popular'
> & {
  readonly names: Omit<Directory['names'], 'post'>;
};

/**
 * Categories, tags and authors with the sets of their posts, view counts and the order by views. All of
 * it is made anew at each build: that takes milliseconds, and what has not changed is not written.
 *
 * @param posts those that are exported, in the order of positions
 */
export function buildListings(blog: Blog, posts: readonly ExportedPost[], writer: ObjectWriter): Listings {
  const { inCategory, withTag, byAuthor } = collectPositions(posts);

  const categories = [...blog.categories.values()].sort(
    by(
      ({ name }) => name,
      ({ slug }) => slug,
    ),
  );
  const tags = [...blog.tags.values()]
    .filter(({ id }) => withTag.has(id))
    .sort(
      by(
        ({ id }) => -countIn(withTag, id),
        ({ name }) => name,
        ({ slug }) => slug,
      ),
    );
  const authors = [...blog.authors.values()]
    .filter(({ id }) => byAuthor.has(id))
    .sort(
      by(
        ({ id }) => -countIn(byAuthor, id),
        ({ username }) => username,
      ),
    );
  const authorRecords = authors.map((author) =>
    renderAuthor(blog.site, author, countIn(byAuthor, author.id)),
  );

  const viewed = viewedByPopularity(posts);

  return {
    viewed: viewed.length,
    authors: authors.length,
    categories: writer.put('categories', renderTerms(blog.site, 'category', counted(categories, inCategory))),
    tags: writer.put('tags', renderTerms(blog.site, 'tag', counted(tags, withTag))),
    author_pages: cut(authorRecords, cutsEvery(PAGE_SIZE, authors.length)).map((records) =>
      writer.put('authors', encodePage(records)),
    ),
    views: cut(posts, viewsCuts(posts.length)).map((run) =>
      writer.put('views', encodeViews(run.map(({ views }) => views))),
    ),
    popular: cut(viewed, cutsEvery(COLUMN_SIZE, viewed.length)).map((ranks) =>
      writer.put('popular', encodeRanks(ranks, posts.length)),
    ),
    names: {
      author: writeNames(
        authors.map(({ username }, i) => [username, writer.put('author', envelope(authorRecords[i] ?? ''))]),
        writer,
      ),
      by_author: writeNames(
        authors.map((author) => [author.username, putSet(byAuthor.get(author.id))]),
        writer,
      ),
      in_category: writeNames(
        categories.map((category) => [category.slug, putSet(inCategory.get(category.id))]),
        writer,
      ),
      with_tag: writeNames(
        [...tagKeys(tags)].map(([key, ids]) => [key, putSet(union(ids.map((id) => withTag.get(id) ?? [])))]),
        writer,
      ),
    },
  };

  function putSet(positions: readonly number[] = []): ObjectHash {
    return writer.put('set', encodeSet(positions));
  }
}

/**
 * Writes a name table: in the directory itself where it is small, else as shards.
 *
 * @param entries in an order that follows from the blog alone, and is kept
 */
export function writeNames(entries: NameEntries, writer: ObjectWriter): NameTable {
  const shards = shardCount(entries.length);
  if (shards === 0) return { inline: entries };

  const contents = Array.from({ length: shards }, (): NameEntries[number][] => []);
  for (const entry of entries) contents[shardOf(entry[0], shards)]?.push(entry);
  return { shards: contents.map((content) => writer.put('names', JSON.stringify(content))) };
}

type Positions = Map<number, number[]>;

function collectPositions(
  posts: readonly ExportedPost[],
): Record<'inCategory' | 'withTag' | 'byAuthor', Positions> {
  const inCategory: Positions = new Map();
  const withTag: Positions = new Map();
  const byAuthor: Positions = new Map();
  posts.forEach(({ categoryId, authorId, tagIds }, position) => {
    if (categoryId !== null) add(inCategory, categoryId, position);
    if (authorId !== null) add(byAuthor, authorId, position);
    if (tagIds !== '') for (const id of tagIds.split(' ')) add(withTag, Number(id), position);
  });
  return { inCategory, withTag, byAuthor };
}

function add(positions: Positions, id: number, position: number): void {
  const list = positions.get(id);
  if (list) list.push(position);
  else positions.set(id, [position]);
}

function countIn(positions: Positions, id: number): number {
  return positions.get(id)?.length ?? 0;
}

function counted(terms: readonly Term[], positions: Positions): (Term & { posts: number })[] {
  return terms.map((term) => ({ ...term, posts: countIn(positions, term.id) }));
}

/** The keys by which tags are asked for, and the tags each key means: two can share one. */
function tagKeys(tags: readonly Term[]): Map<string, number[]> {
  const keys = new Map<string, number[]>();
  for (const { id, slug, name } of tags) {
    for (const key of new Set([tagKey(slug), tagKey(name)])) {
      const ids = keys.get(key);
      if (ids) ids.push(id);
      else keys.set(key, [id]);
    }
  }
  return keys;
}

function union(lists: readonly (readonly number[])[]): readonly number[] {
  if (lists.length === 1) return lists[0] ?? [];
  return [...new Set(lists.flat())].sort((a, b) => a - b);
}

/** Positions of viewed posts by views, most first, then newest (design, "The snapshot"). */
function viewedByPopularity(posts: readonly ExportedPost[]): number[] {
  const views = posts.map((post) => post.views);
  const viewed = posts.flatMap((post, position) => (post.views > 0 ? position : []));
  return viewed.sort((a, b) => (views[b] ?? 0) - (views[a] ?? 0) || b - a);
}

function cut<T>(list: readonly T[], cuts: readonly number[]): (readonly T[])[] {
  return cuts.slice(1).map((end, i) => list.slice(cuts[i], end));
}

/**
 * Compares by the first key that differs: numbers by size, texts by code point as SQLite does, never by
 * a locale, which would differ from machine to machine.
 */
function by<T>(...keys: ((item: T) => number | string)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compare(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
