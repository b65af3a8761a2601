import { countBefore } from './binary-search.ts';
import { fnv1a } from './fnv1a.ts';
import { type Check, eitherOf, isList, isNumber, isRecord, isText, listOf, parseJson } from './json.ts';
import { encodeLines, type Lines } from './lines.ts';
import type { ObjectHash } from './object-hash.ts';
import { normalise } from './search/search-text.ts';

/**
 * Name → object, for names from data: slugs, usernames, tags. They can be any text, so they are never file names.
 *
 * In the table of former slugs, an entry has a slug where others have an object.
 *
 * A small table is part of the directory. A large one is split into shards of about 256 names, lines in the order of their bytes: a
 * publish rewrites one small shard, however large the blog is.
 */
export type NameTable = { readonly inline: NameEntries } | { readonly shards: readonly ObjectHash[] };

/**
 * A list, not an object: a name can be `__proto__`. Behind the hash an article has its time of publication in Unix seconds, and a set the
 * lines of its newest posts, if it has any.
 */
export type NameEntry = readonly [name: string, hash: ObjectHash, more?: number | ObjectHash];
export type NameEntries = readonly NameEntry[];

const isMore = eitherOf(isNumber, isText);

const isNameEntry: Check<NameEntry> = (value): value is NameEntry =>
  isList(value) &&
  isText(value[0]) &&
  isText(value[1]) &&
  (value.length === 2 || (value.length === 3 && isMore(value[2])));

const isNameEntries: Check<NameEntries> = listOf(isNameEntry);

export const isNameTable: Check<NameTable> = (value): value is NameTable =>
  isRecord(value) && ('inline' in value ? isNameEntries(value['inline']) : listOf(isText)(value['shards']));

const encoder = new TextEncoder();

/** Writes a shard. */
export function encodeNames(entries: NameEntries): string {
  const records = entries.map((entry) => {
    const text = JSON.stringify(entry);
    return { text, bytes: encoder.encode(text) };
  });
  return encodeLines(records.sort((a, b) => compareBytes(a.bytes, b.bytes)).map(({ text }) => ({ text })));
}

/** The entries of a shard. @throws SyntaxError if the lines are not one */
export function decodeNames(shard: Lines): NameEntries {
  return [...shard].map(parseEntry);
}

/** The entry of a name in a shard, or null. */
export function findName(shard: Lines, name: string): NameEntry | null {
  // No name's text begins with that of another one: the quote at its end is no part of any.
  const beginning = encoder.encode(`[${JSON.stringify(name)},`);
  const compareAt = (index: number): number => {
    const { bytes, start, end } = shard.record(index)!;
    return compareBytes(bytes.subarray(start, Math.min(end, start + beginning.length)), beginning);
  };
  const place = countBefore(shard.count, (index) => compareAt(index) < 0);
  return place < shard.count && compareAt(place) === 0 ? parseEntry(shard.at(place) ?? '') : null;
}

function parseEntry(text: string): NameEntry {
  return parseJson(text, isNameEntry, 'an entry of a name table');
}

/** Negative: the first comes before the second. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = one[at]! - other[at]!;
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** The most names of a table that is not split. */
const INLINE_NAMES = 2048;

/** Names of a shard, on average. */
const NAMES_PER_SHARD = 256;

/** The number of shards of a table; 0: inline. */
export function shardCount(names: number): number {
  return names <= INLINE_NAMES ? 0 : Math.ceil(names / NAMES_PER_SHARD);
}

/**
 * The shard of a name, from 0.
 *
 * Linear hashing (Litwin, 1980): when the table grows by one shard, exactly one old shard is split and the others keep
 * their names. So growth never rewrites the whole table at once.
 */
export function shardIndex(name: string, shards: number): number {
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
