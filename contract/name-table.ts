import { fnv1a } from './fnv1a.ts';
import { type Check, isList, isRecord, isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-name.ts';
import { normalise } from './search-text.ts';
import { isSetPages, type SetPages } from './sets.ts';

/**
 * Name → object, for names that come from data: slugs, usernames, tags. They can be any text, so they
 * are keys here and never file names.
 *
 * A small table stands in the directory itself. A large one is split into shards (objects of kind
 * `names`) of about 256 names, so that a publish rewrites one small shard on a blog of any size.
 */
export type NameTable = { readonly inline: NameEntries } | { readonly shards: readonly ObjectHash[] };

/** A list, not an object: a name can be `__proto__`. The pages are those of a set that has such. */
export type NameEntry = readonly [name: string, hash: ObjectHash, listed?: SetPages];
export type NameEntries = readonly NameEntry[];

function isNameEntry(value: unknown): value is NameEntry {
  if (!isList(value) || !isText(value[0]) || !isText(value[1])) return false;
  return value.length === 2 || (value.length === 3 && isSetPages(value[2]));
}

const isNameEntries: Check<NameEntries> = listOf(isNameEntry);

export const isNameTable: Check<NameTable> = (value): value is NameTable =>
  isRecord(value) && ('inline' in value ? isNameEntries(value['inline']) : listOf(isText)(value['shards']));

/** Entries by their names. */
export function byName(entries: NameEntries): ReadonlyMap<string, NameEntry> {
  return new Map(entries.map((entry) => [entry[0], entry]));
}

/** Reads an object of kind `names`. @throws SyntaxError where the text is none */
export function parseNames(text: string): NameEntries {
  return parseJson(text, isNameEntries, 'a name table');
}

/** A table of at most so many names and pages is not split. */
const INLINE_NAMES = 2048;

/** Names and pages a shard holds in the mean. */
const NAMES_PER_SHARD = 256;

/** How many shards a table has; 0: it is inline. @param names with the pages of sets */
export function shardCount(names: number): number {
  return names <= INLINE_NAMES ? 0 : Math.ceil(names / NAMES_PER_SHARD);
}

/** How many names and pages entries hold. */
export function sizeOf(entries: NameEntries): number {
  return entries.reduce((size, [, , listed]) => size + 1 + (listed?.pages.length ?? 0), 0);
}

/**
 * The shard of a name, from 0.
 *
 * Linear hashing (Litwin, 1980): when the table grows by one shard, exactly one old shard is split,
 * and all others keep their names. So growth never rewrites the whole table at once.
 */
export function shardOf(name: string, shards: number): number {
  const bits = 32 - Math.clz32(shards - 1);
  const shard = fnv1a(name) & ((1 << bits) - 1);
  return shard < shards ? shard : shard & ((1 << (bits - 1)) - 1);
}

/**
 * How a tag is named in a filter: its slug, or its name with hyphens for spaces, ignoring case as search
 * does (interface, `GET /posts`; design, "tag filter"). Both sides of the comparison pass through here.
 */
export function tagKey(text: string): string {
  return normalise(text).replaceAll(' ', '-');
}
