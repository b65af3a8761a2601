import { fnv1a } from './fnv1a.ts';
import { type Check, isRecord, isText, listOf, pairOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-name.ts';
import { normalise } from './search-text.ts';

/**
 * Name → object, for names that come from data: slugs, usernames, tags. They can be any text, so they
 * are keys here and never file names.
 *
 * A small table stands in the directory itself. A large one is split into shards (objects of kind
 * `names`) of about 256 names, so that a publish rewrites one small shard on a blog of any size.
 */
export type NameTable = { readonly inline: NameEntries } | { readonly shards: readonly ObjectHash[] };

/** Pairs, not an object: a name can be `__proto__`. */
export type NameEntries = readonly (readonly [name: string, hash: ObjectHash])[];

export const isNameEntries: Check<NameEntries> = listOf(pairOf(isText, isText));

export const isNameTable: Check<NameTable> = (value): value is NameTable =>
  isRecord(value) && ('inline' in value ? isNameEntries(value['inline']) : listOf(isText)(value['shards']));

/** Reads an object of kind `names`. @throws SyntaxError where the text is none */
export function parseNames(text: string): NameEntries {
  return parseJson(text, isNameEntries, 'a name table');
}

/** A table of at most so many names is not split. */
const INLINE_NAMES = 2048;

/** Names a shard holds in the mean. */
const NAMES_PER_SHARD = 256;

/** How many shards a table of `names` names has; 0: it is inline. */
export function shardCount(names: number): number {
  return names <= INLINE_NAMES ? 0 : Math.ceil(names / NAMES_PER_SHARD);
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
