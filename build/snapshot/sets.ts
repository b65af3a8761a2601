import type { FilterTables } from '../../contract/directory.ts';
import { FILTER_NAMES, type FilterName, FILTERS } from '../../contract/filters.ts';
import type { NameEntries, NameEntry, NameTable } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePositions, encodeSet, haveSummaries } from '../../contract/sets.ts';
import type { BuiltPost, Taxonomy } from './blog.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory, StoredSet } from './memory.ts';
import { writeNames } from './names.ts';
import type { ObjectStore } from './object-writer.ts';
import { makeSetPages, type SetSummaries } from './set-pages.ts';

/** The sets of a filter. */
interface SetRow {
  /** The sets of a post, by stable ids. */
  idsOf(post: BuiltPost): readonly number[];
  /** The values of the parameter that select a set; the first selects it exactly, in the filter's forms. */
  valuesOf(id: number, taxonomy: Taxonomy): readonly string[];
}

/** The sets of each filter of contract/filters.ts. */
const SETS: Readonly<Record<FilterName, SetRow>> = {
  category: {
    idsOf: ({ categoryId }) => (categoryId === null ? [] : [categoryId]),
    valuesOf: (id, { categories }) => slugOf(categories.get(id)),
  },
  tag: {
    idsOf: ({ tagIds }) => (tagIds === '' ? [] : tagIds.split(' ').map(Number)),
    valuesOf(id, { tags }) {
      const tag = tags.get(id);
      return tag ? [tag.slug, tag.name] : [];
    },
  },
  author: {
    idsOf: ({ authorId }) => (authorId === null ? [] : [authorId]),
    valuesOf(id, { authors }) {
      const author = authors.get(id);
      return author ? [author.username] : [];
    },
  },
};

function slugOf(term: { readonly slug: string } | undefined): string[] {
  return term ? [term.slug] : [];
}

const NO_SUMMARIES: SetSummaries = { pages: [], newest: [] };

/** The non-empty sets of each filter, by id. */
export type Sets = Readonly<Record<FilterName, ReadonlyMap<number, StoredSet>>>;

/**
 * The posts of each set. A set is written only if a member was added or removed, moved, or looks different. Positions
 * below `from` are copied from the old set, the others come from the posts.
 *
 * @param pages of all summaries, in the output or staged
 * @param before the number of posts in the last build; 0 without one
 */
export function buildSets(
  difference: Difference,
  pages: readonly ObjectHash[],
  before: number,
  memory: BuildMemory,
  writer: ObjectStore,
): Sets {
  const { from, ids } = difference;
  const withSummaries = haveSummaries(ids.length);
  const changes = new SetChanges();
  if (withSummaries !== haveSummaries(before))
    for (const name of FILTER_NAMES) for (const id of memory.sets(name).keys()) changes.touchSet(name, id);
  for (const post of difference.tailBefore) changes.touch(post);
  let added = from;
  for (const post of difference.tail()) changes.add(post, added++);
  for (const { position, before, after } of difference.edited) {
    if (withSummaries) changes.touch(after);
    if (isInSameSets(before, after)) continue;
    changes.remove(before, position);
    changes.add(after, position);
  }

  const edited = new Set(difference.edited.map(({ position }) => position));
  const drafts = [];
  for (const { kind, id, added, removed } of changes.sets()) {
    const old = memory.set(kind, id);
    const were = old && from > 0 ? decodePositions(writer.read('set', old.hash)) : new Uint32Array();
    const kept = were.filter((position) => position < from && !removed.has(position));
    const positions = new Uint32Array(kept.length + added.length);
    positions.set(kept);
    positions.set(added, kept.length);
    positions.sort();
    const isChanged = (position: number, rank: number) =>
      position >= from || were[rank] !== position || edited.has(position);
    if (positions.length === 0) memory.deleteSet(kind, id);
    else drafts.push({ kind, id, positions, before: old?.pages ?? [], isChanged });
  }
  const made = withSummaries
    ? makeSetPages(drafts, pages, writer)
    : drafts.map((draft) => [draft, NO_SUMMARIES] as const);
  for (const [{ kind, id, positions }, { pages, newest }] of made) {
    memory.putSet(kind, id, {
      hash: writer.put('set', encodeSet(positions, newest)),
      size: positions.length,
      pages,
    });
  }
  return perFilter((name) => memory.sets(name));
}

/**
 * Builds the sets of a few posts without a last build.
 *
 * @param posts in the order of their positions
 */
export function setsOf(posts: readonly BuiltPost[], objects: ObjectStore): Sets {
  return perFilter((name) => {
    const members = new Map<number, number[]>();
    for (const [position, post] of posts.entries()) {
      for (const id of SETS[name].idsOf(post)) members.set(id, [...(members.get(id) ?? []), position]);
    }
    return new Map(
      [...members].map(([id, positions]) => [
        id,
        { hash: objects.put('set', encodeSet(positions)), size: positions.length, pages: [] },
      ]),
    );
  });
}

/**
 * The name tables of the filters' sets. A value that several sets share, such as two tags, selects the union.
 *
 * @param posts the number of all posts
 */
export function buildFilterTables(
  posts: number,
  taxonomy: Taxonomy,
  sets: Sets,
  writer: ObjectStore,
): FilterTables {
  const withSummaries = haveSummaries(posts);
  const tables = FILTER_NAMES.flatMap((name): (readonly [string, NameTable])[] => {
    const { key: keyOf, table, ...row } = FILTERS[name];
    const byKey = new Map<string, StoredSet[]>();
    const byValue = new Map<string, StoredSet>();
    for (const [id, set] of sets[name]) {
      const values = SETS[name].valuesOf(id, taxonomy);
      for (const key of new Set(values.map(keyOf))) {
        const known = byKey.get(key);
        if (known) known.push(set);
        else byKey.set(key, [set]);
      }
      if (values[0] !== undefined) byValue.set(values[0], set);
    }
    const named = [table, writeNames(entriesOf(byKey, withSummaries, writer), writer)] as const;
    const exact = 'exactTable' in row ? exactEntriesOf(byKey, byValue, keyOf) : [];
    return 'exactTable' in row && exact.length > 0
      ? [named, [row.exactTable, writeNames(exact, writer)]]
      : [named];
  });
  return Object.fromEntries(tables);
}

/**
 * What the table by keys gets wrong about exact values. Values whose key is another one, or shared with other sets, select
 * their set here; keys that are no value, such as a tag's name, are after a line feed.
 */
function exactEntriesOf(
  byKey: ReadonlyMap<string, readonly StoredSet[]>,
  byValue: ReadonlyMap<string, StoredSet>,
  keyOf: (value: string) => string,
): NameEntries {
  const entries: NameEntry[] = [];
  for (const [value, { hash }] of byValue) {
    if (keyOf(value) !== value || byKey.get(value)?.length !== 1) entries.push([value, hash]);
  }
  for (const [key, [set]] of byKey) if (set && !byValue.has(key)) entries.push([`\n${key}`, set.hash]);
  return entries;
}

/**
 * The directory must name every set. If all keys of a set are shared, it gets a key with a line feed, which no request
 * can contain.
 */
function entriesOf(
  byKey: ReadonlyMap<string, readonly StoredSet[]>,
  withSummaries: boolean,
  writer: ObjectStore,
): NameEntries {
  const entryOf = (key: string, { hash, size, pages }: StoredSet): NameEntry =>
    withSummaries ? [key, hash, { size, pages }] : [key, hash];
  const entries = [...byKey].map(([key, sets]): NameEntry => {
    const [only, ...others] = sets;
    return only && others.length === 0
      ? entryOf(key, only)
      : [key, writer.put('set', encodeSet(union(sets, writer)))];
  });
  const named = new Set(entries.map(([, hash]) => hash));
  for (const [key, sets] of byKey) {
    for (const set of sets) if (!named.has(set.hash)) entries.push(entryOf(`\n${key} ${set.hash}`, set));
    for (const { hash } of sets) named.add(hash);
  }
  return entries;
}

/** The values with a comma, which the forms of filters cannot name: `tag "a,b"`. */
export function unlistable(sets: Sets, taxonomy: Taxonomy): string[] {
  return FILTER_NAMES.flatMap((name) =>
    [...sets[name].keys()].flatMap((id) => {
      const [value] = SETS[name].valuesOf(id, taxonomy);
      return value?.includes(',') ? `${name} "${value}"` : [];
    }),
  );
}

function union(sets: readonly StoredSet[], writer: ObjectStore): number[] {
  const positions = new Set<number>();
  for (const { hash } of sets) {
    for (const position of decodePositions(writer.read('set', hash))) positions.add(position);
  }
  return [...positions].sort((a, b) => a - b);
}

function perFilter<T>(make: (name: FilterName) => T): Record<FilterName, T> {
  const made: Partial<Record<FilterName, T>> = {};
  for (const name of FILTER_NAMES) made[name] = make(name);
  return made as Record<FilterName, T>; // All filters are set above.
}

function isInSameSets(a: BuiltPost, b: BuiltPost): boolean {
  return FILTER_NAMES.every((name) => SETS[name].idsOf(a).join() === SETS[name].idsOf(b).join());
}

interface SetChange {
  readonly kind: FilterName;
  readonly id: number;
  readonly added: number[];
  readonly removed: Set<number>;
}

/** The positions added to and removed from each set. */
class SetChanges {
  readonly #changes = new Map<string, SetChange>();

  sets(): Iterable<SetChange> {
    return this.#changes.values();
  }

  touch(post: BuiltPost): void {
    this.#each(post, () => undefined);
  }

  touchSet(kind: FilterName, id: number): void {
    this.#of(kind, id);
  }

  add(post: BuiltPost, position: number): void {
    this.#each(post, ({ added }) => added.push(position));
  }

  remove(post: BuiltPost, position: number): void {
    this.#each(post, ({ removed }) => removed.add(position));
  }

  #each(post: BuiltPost, work: (change: SetChange) => void): void {
    for (const name of FILTER_NAMES) for (const id of SETS[name].idsOf(post)) work(this.#of(name, id));
  }

  #of(kind: FilterName, id: number): SetChange {
    const key = `${kind} ${id}`;
    let change = this.#changes.get(key);
    if (!change) this.#changes.set(key, (change = { kind, id, added: [], removed: new Set() }));
    return change;
  }
}
