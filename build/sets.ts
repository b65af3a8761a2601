import type { FilterTables } from '../contract/directory.ts';
import { FILTER_NAMES, type FilterName, FILTERS } from '../contract/filters.ts';
import type { NameEntries } from '../contract/name-table.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import { decodeSet, encodeSet } from '../contract/positions.ts';
import type { BuiltPost, Taxonomy } from './blog.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory, StoredSet } from './memory.ts';
import { writeNames } from './names.ts';
import type { ObjectStore, ObjectWriter } from './object-writer.ts';

/** Which sets there are for a filter. */
interface SetRow {
  /** Those that a post belongs to, by numbers that stay the same. */
  idsOf(post: BuiltPost): readonly number[];
  /** The values of the parameter that ask for a set. */
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

/** The sets of each filter that hold a post, by id. */
export type Sets = Readonly<Record<FilterName, ReadonlyMap<number, StoredSet>>>;

/**
 * Positions of the posts of each set. Only the sets of which a member came, went or
 * moved are written: what is below `from` is taken from the old set, what is above from the posts.
 */
export function buildSets(difference: Difference, memory: BuildMemory, writer: ObjectWriter): Sets {
  const moved = new Moves();
  for (const post of difference.tailBefore) moved.touch(post);
  difference.tail.forEach((post, i) => moved.add(post, difference.from + i));
  for (const { position, before, after } of difference.edited) {
    if (belongsAlike(before, after)) continue;
    moved.remove(before, position);
    moved.add(after, position);
  }

  for (const { kind, id, added, removed } of moved.sets()) {
    const old = memory.set(kind, id);
    const kept = old && difference.from > 0 ? decodeSet(writer.read('set', old.hash)) : new Uint32Array();
    const positions = [
      ...kept.filter((position) => position < difference.from && !removed.has(position)),
      ...added,
    ];
    positions.sort((a, b) => a - b);
    if (positions.length === 0) memory.deleteSet(kind, id);
    else memory.putSet(kind, id, { hash: writer.put('set', encodeSet(positions)), size: positions.length });
  }
  return perFilter((name) => memory.sets(name));
}

/**
 * The sets of a few posts, made from nothing.
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
        { hash: objects.put('set', encodeSet(positions)), size: positions.length },
      ]),
    );
  });
}

/** The tables by which the filters' sets are found. A value that several sets share, as two tags may, asks for all. */
export function buildFilterTables(taxonomy: Taxonomy, sets: Sets, writer: ObjectStore): FilterTables {
  const tables = perFilter((name) => {
    const byKey = new Map<string, ObjectHash[]>();
    for (const [id, { hash }] of sets[name]) {
      for (const key of new Set(SETS[name].valuesOf(id, taxonomy).map(FILTERS[name].key))) {
        const known = byKey.get(key);
        if (known) known.push(hash);
        else byKey.set(key, [hash]);
      }
    }
    return writeNames(entriesOf(byKey, writer), writer);
  });
  return Object.fromEntries(FILTER_NAMES.map((name) => [FILTERS[name].table, tables[name]]));
}

/**
 * The directory names every set. If all keys of a set are shared, it gets a key that no request can contain: it holds a
 * line feed, which no parameter may.
 */
function entriesOf(byKey: ReadonlyMap<string, readonly ObjectHash[]>, writer: ObjectStore): NameEntries {
  const entries = [...byKey].map(([key, [first = '', ...others]]): [string, ObjectHash] => [
    key,
    others.length === 0 ? first : writer.put('set', encodeSet(union([first, ...others], writer))),
  ]);
  const named = new Set(entries.map(([, hash]) => hash));
  for (const [key, hashes] of byKey) {
    for (const hash of hashes) if (!named.has(hash)) entries.push([`\n${key} ${hash}`, hash]);
    for (const hash of hashes) named.add(hash);
  }
  return entries;
}

function union(sets: readonly ObjectHash[], writer: ObjectStore): number[] {
  const positions = new Set<number>();
  for (const hash of sets) {
    for (const position of decodeSet(writer.read('set', hash))) positions.add(position);
  }
  return [...positions].sort((a, b) => a - b);
}

function perFilter<T>(make: (name: FilterName) => T): Record<FilterName, T> {
  const made: Partial<Record<FilterName, T>> = {};
  for (const name of FILTER_NAMES) made[name] = make(name);
  return made as Record<FilterName, T>; // Each filter has got its own above.
}

function belongsAlike(a: BuiltPost, b: BuiltPost): boolean {
  return FILTER_NAMES.every((name) => SETS[name].idsOf(a).join() === SETS[name].idsOf(b).join());
}

interface Move {
  readonly kind: FilterName;
  readonly id: number;
  readonly added: number[];
  readonly removed: Set<number>;
}

/** What came to and went from each set. */
class Moves {
  readonly #moves = new Map<string, Move>();

  sets(): Iterable<Move> {
    return this.#moves.values();
  }

  touch(post: BuiltPost): void {
    this.#each(post, () => undefined);
  }

  add(post: BuiltPost, position: number): void {
    this.#each(post, ({ added }) => added.push(position));
  }

  remove(post: BuiltPost, position: number): void {
    this.#each(post, ({ removed }) => removed.add(position));
  }

  #each(post: BuiltPost, work: (move: Move) => void): void {
    for (const name of FILTER_NAMES) for (const id of SETS[name].idsOf(post)) work(this.#of(name, id));
  }

  #of(kind: FilterName, id: number): Move {
    const key = `${kind} ${id}`;
    let move = this.#moves.get(key);
    if (!move) this.#moves.set(key, (move = { kind, id, added: [], removed: new Set() }));
    return move;
  }
}
