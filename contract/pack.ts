import type { Directory } from './directory.ts';
import { isNumber, isText, listOf, pairOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-name.ts';
import { type NamedObject, OBJECT_KINDS, type ObjectKind } from './object-kinds.ts';
import { PACKED_POSTS } from './snapshot.ts';

/**
 * A pack: copies of a small snapshot's objects in one file, but for the articles and authors. A gateway that is far
 * from its store reads it once, where a list of posts picked from everywhere would need twenty objects. It
 * comes in addition to the objects: a Worker that finds no pack reads the objects.
 *
 * The first line is JSON, names and lengths; the bytes follow one after the other.
 */
export type Pack = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Blogs whose summaries are very long have no pack. */
export const PACK_BYTES = 4 * 2 ** 20;

export function hasPack({ posts }: { readonly posts: number }): boolean {
  return posts <= PACKED_POSTS;
}

export function isPacked(kind: ObjectKind): boolean {
  return OBJECT_KINDS[kind].packed;
}

/** Where the pack of a snapshot stands, from the root of the bucket. */
export function packPath(snapshot: ObjectHash): string {
  return `packs/${snapshot}`;
}

/**
 * Where the bucket has the pack of what a cold gateway needs first, of the snapshot that was published last. It is read
 * together with the pointer, before its snapshot is known. Objects are known by their content, so one that belongs to
 * another snapshot does no harm.
 */
export const CURRENT_PACK = 'packs/current';

/** Of larger blogs the view counts of older posts would take more than a quarter of a megabyte. */
const PACKED_VIEWS_POSTS = 131_072;

/** The view counts of the older posts: in that pack too, but compressed by gzip, since few requests need them. */
export function olderViews({ posts, views }: Directory): readonly NamedObject[] {
  return posts > PACKED_VIEWS_POSTS ? [] : views.slice(0, -1).map((hash) => ({ kind: 'views', hash }));
}

/** The objects of that pack: the directory, and what the newest posts are shown from. */
export function firstNeeded(snapshot: ObjectHash, { pages, views }: Directory): readonly NamedObject[] {
  return [
    { kind: 'directory', hash: snapshot },
    ...pages.slice(-2).map((hash) => ({ kind: 'page', hash }) as const),
    ...views.slice(-1).map((hash) => ({ kind: 'views', hash }) as const),
  ];
}

/**
 * Where a bucket has the articles of one page of positions, compressed by gzip: who walks through the blog reads one file
 * instead of fifty.
 *
 * @param name the hash of articlePackName
 */
export function articlePackPath(name: ObjectHash): string {
  return `packs/articles/${name}`;
}

/** What names such a pack by its hash: the articles in it. @param hashes of a page's objects `post`, by position */
export function articlePackName(hashes: readonly ObjectHash[]): string {
  return hashes.join('\n');
}

/** What an object goes by in a pack. */
export function nameInPack(kind: ObjectKind, hash: ObjectHash): string {
  return `${kind}/${hash}`;
}

/** What it goes by where it is compressed by gzip. */
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

/** @throws SyntaxError where it is no whole pack */
export function decodePack(bytes: Uint8Array<ArrayBuffer>): Pack {
  const end = bytes.indexOf(0x0a);
  const head = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
  const sizes = parseJson(head, isSizes, 'a pack');
  let at = end + 1;
  const pack = new Map(sizes.map(([name, size]) => [name, bytes.subarray(at, (at += size))]));
  if (at !== bytes.length) throw new SyntaxError('an incomplete pack');
  return pack;
}
