import { fnv1a } from './fnv1a.ts';
import { type Check, isList, isRecord, isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';
import { normalise } from './search/search-text.ts';
import { isSetPages, type SetPages } from './sets.ts';

/**
 * Name → object, for names from data: slugs, usernames, tags. They can be any text, so they are never file names.
 *
 * In the table of former slugs, an entry has a slug where others have an object.
 *
 * A small table is part of the directory. A large one is split into shards (objects of kind `names`) of about 256
 * names: a publish rewrites one small shard, however large the blog is.
 */
export type NameTable = { readonly inline: NameEntries } | { readonly shards: readonly ObjectHash[] };

/** A list, not an object: a name can be `__proto__`. `listed` has the pages of a set, if it has any. */
export type NameEntry = readonly [name: string, hash: ObjectHash, listed?: SetPages];
export type NameEntries = readonly NameEntry[];

function isNameEntry(value: unknown): value is NameEntry {
  if (!isList(value) || !isText(value[0]) || !isText(value[1])) return false;
  return value.length === 2 || (value.length === 3 && isSetPages(value[2]));
}

const isNameEntries: Check<NameEntries> = listOf(isNameEntry);

export const isNameTable: Check<NameTable> = (value): value is NameTable =>
  isRecord(value) && ('inline' in value ? isNameEntries(value['inline']) : listOf(isText)(value['shards']));

/** Entries by their names. Few have pages, so the others are kept as texts alone: two thirds of the memory. */
export class Names implements Iterable<NameEntry> {
  readonly #hashes: ReadonlyMap<string, ObjectHash>;
  readonly #listed: ReadonlyMap<string, SetPages>;

  constructor(entries: NameEntries) {
    this.#hashes = new Map(entries.map(([name, hash]) => [name, hash]));
    this.#listed = new Map(entries.flatMap(([name, , listed]) => (listed ? [[name, listed]] : [])));
  }

  get size(): number {
    return this.#hashes.size;
  }

  get(name: string): NameEntry | null {
    const hash = this.#hashes.get(name);
    return hash === undefined ? null : this.#entryOf(name, hash);
  }

  *[Symbol.iterator](): Generator<NameEntry> {
    for (const [name, hash] of this.#hashes) yield this.#entryOf(name, hash);
  }

  #entryOf(name: string, hash: ObjectHash): NameEntry {
    const listed = this.#listed.get(name);
    return listed ? [name, hash, listed] : [name, hash];
  }
}

/** Reads an object of kind `names`. @throws SyntaxError if the text is not one */
export function parseNames(text: string): NameEntries {
  return parseJson(text, isNameEntries, 'a name table');
}

/** The most names and pages of a table that is not split. */
const INLINE_NAMES = 2048;

/** Names and pages of a shard, on average. */
const NAMES_PER_SHARD = 256;

/** The number of shards of a table; 0: inline. @param names the number of names and pages of sets */
export function shardCount(names: number): number {
  return names <= INLINE_NAMES ? 0 : Math.ceil(names / NAMES_PER_SHARD);
}

/** The number of names and pages in some entries. */
export function sizeOf(entries: NameEntries): number {
  return entries.reduce((size, [, , listed]) => size + 1 + (listed?.pages.length ?? 0), 0);
}

/**
 * The shard of a name, from 0.
 *
 * Linear hashing (Litwin, 1980): when the table grows by one shard, exactly one old shard is split and the others keep
 * their names. So growth never rewrites the whole table at once.
 */
export function shardOf(name: string, shards: number): number {
  const bits = 32 - Math.clz32(shards - 1);
  const shard = fnv1a(name) & ((1 << bits) - 1);
  return shard < shards ? shard : shard & ((1 << (bits - 1)) - 1);
}

/**
 * The key of a tag in a filter: its slug, or its name with hyphens for spaces. Case is ignored as in search (interface,
 * `GET /posts`). Both sides of the comparison use this function.
 */
export function tagKey(text: string): string {
  return normalise(text).replaceAll(' ', '-');
}
