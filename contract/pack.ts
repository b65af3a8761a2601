import type { Directory } from './directory.ts';
import { isNumber, isText, listOf, pairOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';
import type { NamedObject, ObjectKind } from './object-kinds.ts';
import { indexedPosts } from './search/suffix-tree.ts';
import { PACKED_POSTS, PAGE_SIZE } from './snapshot.ts';

/**
 * A pack: copies of a small snapshot's objects in one file, except bodies, which are requested one at a time. A gateway far from its store
 * reads the pack once, instead of some twenty objects for one list of posts. The objects exist as well: without a pack,
 * a Worker reads them.
 *
 * The first line is JSON: names and lengths. The bytes follow, in the same order.
 */
export type Pack = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Blogs whose summaries are very long have no pack. */
export const PACK_BYTES = 4 * 2 ** 20;

export function hasPack({ posts }: { readonly posts: number }): boolean {
  return posts <= PACKED_POSTS;
}

export function isPacked(kind: ObjectKind): boolean {
  return kind !== 'body';
}

/** The path of a snapshot's pack, from the root of the bucket. */
export function packPath(snapshot: ObjectHash): string {
  return `packs/${snapshot}`;
}

/** The newest pages of summaries next to the pointer. */
const FIRST_PAGES = 2;

/** In larger blogs the view counts of older posts would take more than 130 kB, gzipped. */
const PACKED_VIEWS_POSTS = 131_072;

/**
 * What few requests need, gzipped in the pack next to the pointer: the view counts of older posts, and the pages of posts that are not in the
 * search index, which each search reads.
 */
export function rarelyNeeded({ posts, pages, views }: Directory): readonly NamedObject[] {
  const older = posts > PACKED_VIEWS_POSTS ? [] : views.slice(0, -1);
  const unindexed = hasPack({ posts }) ? [] : pages.slice(indexedPosts(posts) / PAGE_SIZE, -FIRST_PAGES);
  return [
    ...older.map((hash) => ({ kind: 'numbers', hash }) as const),
    ...unindexed.map((hash) => ({ kind: 'lines', hash }) as const),
  ];
}

/**
 * The objects of the pack next to the pointer (bucket-pointer.ts): the directory, and those that list the newest posts.
 */
export function firstNeeded(snapshot: ObjectHash, directory: Directory): readonly NamedObject[] {
  const { pages, views } = directory;
  return [
    { kind: 'directory', hash: snapshot },
    ...pages.slice(-FIRST_PAGES).map((hash) => ({ kind: 'lines', hash }) as const),
    ...views.slice(-1).map((hash) => ({ kind: 'numbers', hash }) as const),
  ];
}

/** The name of an object in a pack. */
export function nameInPack(kind: ObjectKind, hash: ObjectHash): string {
  return `${kind}/${hash}`;
}

/** The name of a gzipped object in a pack. */
export function zippedNameInPack(kind: ObjectKind, hash: ObjectHash): string {
  return `${nameInPack(kind, hash)}.gz`;
}

export function encodePack(pack: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const sizes = Array.from(pack, ([name, { length }]) => [name, length] as const);
  const head = new TextEncoder().encode(`${JSON.stringify(sizes)}\n`);
  const size = sizes.reduce((sum, [, length]) => sum + length, 0);
  const bytes = new Uint8Array(head.length + size);
  bytes.set(head);
  let at = head.length;
  for (const object of pack.values()) {
    bytes.set(object, at);
    at += object.length;
  }
  return bytes;
}

const isSizes = listOf(pairOf(isText, isNumber));

/** @throws SyntaxError if it is not a complete pack */
export function decodePack(bytes: Uint8Array<ArrayBuffer>): Pack {
  const end = bytes.indexOf(0x0a);
  const head = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
  const sizes = parseJson(head, isSizes, 'a pack');
  let at = end + 1;
  const pack = new Map(sizes.map(([name, size]) => [name, bytes.subarray(at, (at += size))]));
  if (at !== bytes.length) throw new SyntaxError('an incomplete pack');
  return pack;
}
