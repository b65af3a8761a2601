import type { FilterTables } from '../../contract/directory.ts';
import { FILTER_NAMES, type FilterName, FILTERS, type FilterTable } from '../../contract/filters.ts';
import { encodeLines, Lines } from '../../contract/lines.ts';
import type { NameEntries, NameEntry, NameTable } from '../../contract/name-table.ts';
import { namedByEntry } from '../../contract/object-kinds.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { summaryLine } from '../../contract/records.ts';
import { encodePositions, newestIn } from '../../contract/sets.ts';
import type { Post, Taxonomy } from './blog.ts';
import { hashInputs, type Making } from './memory.ts';
import { writeNames } from './names.ts';
import type { ObjectStore } from './object-writer.ts';
import { postInputs } from './pages.ts';
import { splitBatches } from './parallel.ts';

/** Sets whose summaries are read at once: each has up to 50. */
const SETS_AT_ONCE = 1000;

/** What sets are made from. */
interface SetParts {
  /** By position. */
  readonly posts: readonly Post[];
  /** The ids of each tag's posts, and of others. */
  readonly tagged: ReadonlyMap<number, readonly number[]>;
  readonly taxonomy: Taxonomy;
}

/** Positions by the id of a value, ascending. */
type Members = ReadonlyMap<number, Uint32Array>;

/** The sets of a filter. */
interface SetRow {
  /** The posts of each value, by a stable id. */
  groupMembers(parts: SetParts): Members;
  /** The values of the parameter that select a set; the first selects it exactly, in the filter's forms. */
  listValues(id: number, taxonomy: Taxonomy): readonly string[];
}

/** The sets of each filter of contract/filters.ts. */
const SETS: Readonly<Record<FilterName, SetRow>> = {
  category: {
    groupMembers: ({ posts }) => grouped(posts, ({ categoryId }) => categoryId),
    listValues: (id, { categories }) => toSlugs(categories.get(id)),
  },
  tag: {
    groupMembers: tagMembers,
    listValues(id, { tags }) {
      const tag = tags.get(id);
      return tag ? [tag.slug, tag.name] : [];
    },
  },
  author: {
    groupMembers: ({ posts }) => grouped(posts, ({ authorId }) => authorId),
    listValues(id, { authors }) {
      const author = authors.get(id);
      return author ? [author.username] : [];
    },
  },
};

/** The posts of each id. @param getId null: the post has none */
function grouped(posts: readonly Post[], getId: (post: Post) => number | null): Members {
  const members = new Map<number, number[]>();
  for (const [position, post] of posts.entries()) {
    const id = getId(post);
    if (id === null) continue;
    const known = members.get(id);
    if (known) known.push(position);
    else members.set(id, [position]);
  }
  return new Map(Array.from(members, ([id, positions]) => [id, Uint32Array.from(positions)]));
}

function tagMembers({ posts, tagged, taxonomy }: SetParts): Members {
  const byId = new Map<number, number>();
  for (let position = 0; position < posts.length; position++) byId.set(posts[position]!.id, position);
  const members = new Map<number, Uint32Array>();
  for (const [tag, ids] of tagged) {
    if (!taxonomy.tags.has(tag)) continue;
    const positions = new Uint32Array(ids.length);
    let count = 0;
    for (const id of ids) {
      const position = byId.get(id);
      if (position !== undefined) positions[count++] = position;
    }
    if (count > 0) members.set(tag, positions.slice(0, count).sort());
  }
  return members;
}

function toSlugs(term: { readonly slug: string } | undefined): string[] {
  return term ? [term.slug] : [];
}

/** A set, and its posts. */
export interface MadeSet {
  readonly hash: ObjectHash;
  /** The lines of its newest posts, if there are any. */
  readonly newest: ObjectHash | undefined;
  readonly positions: Uint32Array;
}

/** The non-empty sets of each filter, by id. */
export type Sets = Readonly<Record<FilterName, ReadonlyMap<number, MadeSet>>>;

/**
 * The posts of each set, and lines of the newest ones. What has the same posts, or newest posts that look the same, is known.
 *
 * @param pages of all summaries, in the output or staged
 */
export function makeSets(
  parts: SetParts,
  pages: readonly ObjectHash[],
  memory: Making,
  store: ObjectStore,
): Sets {
  const { posts, taxonomy } = parts;
  const sets = FILTER_NAMES.flatMap((name) =>
    Array.from(SETS[name].groupMembers(parts), ([id, positions]) => {
      const hash = memory.make(hashInputs('set', new Uint8Array(positions.buffer)), () =>
        store.put('positions', encodePositions(positions)),
      );
      const shown = positions.slice(positions.length - newestIn(positions.length, posts.length));
      const inputs = hashInputs(
        'newest',
        ...postInputs(
          Array.from(shown, (position) => posts[position]!),
          taxonomy,
        ),
      );
      return { name, id, hash, positions, shown, inputs, newest: memory.made(inputs) };
    }),
  );
  const stale = sets.filter(({ shown, newest }) => shown.length > 0 && newest === undefined);
  for (const some of splitBatches(stale, SETS_AT_ONCE)) {
    const getText = summariesAt(
      some.flatMap(({ shown }) => [...shown]),
      pages,
      store,
    );
    for (const set of some) {
      set.newest = putSummaries(set.shown, getText, store);
      memory.keep(set.inputs, set.newest);
    }
  }
  return perFilter(
    (name) => new Map(sets.flatMap((set) => (set.name === name ? [[set.id, set] as const] : []))),
  );
}

/** Reads summaries, each page once. @returns the text at one of the positions */
export function summariesAt(
  positions: readonly number[],
  pages: readonly ObjectHash[],
  store: ObjectStore,
): (position: number) => string {
  const texts = new Map<number, string>();
  let page = -1;
  let lines: Lines | undefined;
  for (const position of Uint32Array.from(positions).sort()) {
    const number = Math.floor(position / PAGE_SIZE);
    if (number !== page) lines = new Lines(store.read('lines', pages[(page = number)] ?? ''));
    texts.set(position, lines?.at(position % PAGE_SIZE) ?? '');
  }
  return (position) => texts.get(position) ?? '';
}

/** Writes lines with copies of summaries. @param getText gives the text at a position */
export function putSummaries(
  positions: Iterable<number>,
  getText: (position: number) => string,
  store: ObjectStore,
): ObjectHash {
  const copies = Array.from(positions, (position) => summaryLine(getText(position)));
  return store.put('lines', encodeLines(copies));
}

/**
 * The name tables of the filters' sets. A value that several sets share, such as two tags, selects the union.
 *
 * @param named receives the objects that the tables name
 */
export function writeFilterTables(
  taxonomy: Taxonomy,
  sets: Sets,
  store: ObjectStore,
  named = new Set<ObjectHash>(),
): FilterTables {
  const write = (table: FilterTable, entries: NameEntries) => {
    for (const entry of entries) for (const { hash } of namedByEntry(table, entry)) named.add(hash);
    return [table, writeNames(entries, store)] as const;
  };
  const tables = FILTER_NAMES.flatMap((name): (readonly [FilterTable, NameTable])[] => {
    const { key: keyOf, table, ...row } = FILTERS[name];
    const byKey = new Map<string, MadeSet[]>();
    const byValue = new Map<string, MadeSet>();
    for (const [id, set] of sets[name]) {
      const values = SETS[name].listValues(id, taxonomy);
      for (const key of new Set(values.map(keyOf))) {
        const known = byKey.get(key);
        if (known) known.push(set);
        else byKey.set(key, [set]);
      }
      if (values[0] !== undefined) byValue.set(values[0], set);
    }
    const byKeys = write(table, buildEntries(byKey, store));
    const exact = 'exactTable' in row ? makeExactEntries(byKey, byValue, keyOf) : [];
    return 'exactTable' in row && exact.length > 0 ? [byKeys, write(row.exactTable, exact)] : [byKeys];
  });
  return Object.fromEntries(tables);
}

/**
 * What the table by keys gets wrong about exact values. Values whose key is another one, or shared with other sets, select
 * their set here; keys that are no value, such as a tag's name, are after a line feed.
 */
function makeExactEntries(
  byKey: ReadonlyMap<string, readonly MadeSet[]>,
  byValue: ReadonlyMap<string, MadeSet>,
  getKey: (value: string) => string,
): NameEntries {
  const entries: NameEntry[] = [];
  for (const [value, set] of byValue) {
    if (getKey(value) !== value || byKey.get(value)?.length !== 1) entries.push(toEntry(value, set));
  }
  for (const [key, [set]] of byKey) if (set && !byValue.has(key)) entries.push(toEntry(`\n${key}`, set));
  return entries;
}

/**
 * The directory must name every set. If all keys of a set are shared, it gets a key with a line feed, which no request
 * can contain.
 */
function buildEntries(byKey: ReadonlyMap<string, readonly MadeSet[]>, store: ObjectStore): NameEntries {
  const entries = [...byKey].map(([key, sets]): NameEntry => {
    const [only, ...others] = sets;
    return only && others.length === 0
      ? toEntry(key, only)
      : [key, store.put('positions', encodePositions(union(sets)))];
  });
  const named = new Set(entries.map(([, hash]) => hash));
  for (const [key, sets] of byKey) {
    for (const set of sets) if (!named.has(set.hash)) entries.push(toEntry(`\n${key} ${set.hash}`, set));
    for (const { hash } of sets) named.add(hash);
  }
  return entries;
}

function toEntry(name: string, { hash, newest }: MadeSet): NameEntry {
  return newest === undefined ? [name, hash] : [name, hash, newest];
}

function union(sets: readonly MadeSet[]): Uint32Array {
  return Uint32Array.from(new Set(sets.flatMap(({ positions }) => [...positions]))).sort();
}

function perFilter<T>(make: (name: FilterName) => T): Record<FilterName, T> {
  const made: Partial<Record<FilterName, T>> = {};
  for (const name of FILTER_NAMES) made[name] = make(name);
  return made as Record<FilterName, T>; // All filters are set above.
}
