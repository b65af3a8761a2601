import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, type NameTableName, parseDirectory } from '../../contract/directory.ts';
import type { NameEntries, NameTable } from '../../contract/name-table.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/snapshot.ts';

/** An object that a snapshot names. */
export interface NamedObject {
  readonly kind: ObjectKind;
  readonly hash: ObjectHash;
}

/** Of what kind the objects are that each name table leads to. */
export const TABLE_LEADS_TO: Readonly<Record<NameTableName, ObjectKind>> = {
  post: 'post',
  author: 'author',
  in_category: 'set',
  with_tag: 'set',
  by_author: 'set',
};

/** Gives the text of an object. */
export type ReadObject = (kind: ObjectKind, hash: ObjectHash) => string;

export function readObject(out: string, kind: ObjectKind, hash: ObjectHash): string {
  return readFileSync(join(out, objectPath(kind, hash)), 'utf8');
}

/** The names of a table, of all its shards. */
export function readNames(out: string, table: NameTable): NameEntries {
  return namesIn(table, (kind, hash) => readObject(out, kind, hash));
}

function namesIn(table: NameTable, read: ReadObject): NameEntries {
  if ('inline' in table) return table.inline;
  return table.shards.flatMap((hash): NameEntries => JSON.parse(read('names', hash)));
}

/**
 * All objects of a snapshot, the directory first; some more than once.
 *
 * @param from the output folder, or what else gives the directory and the shards of names
 * @throws an error of the file system where the directory or a shard of names is missing
 */
export function* objectsOf(from: string | ReadObject, snapshot: ObjectHash): Generator<NamedObject> {
  const read: ReadObject = typeof from === 'string' ? (kind, hash) => readObject(from, kind, hash) : from;
  yield { kind: 'directory', hash: snapshot };
  const directory = parseDirectory(read('directory', snapshot));
  yield* objectsNamedBy(directory);
  for (const [name, kind] of Object.entries(TABLE_LEADS_TO) as [NameTableName, ObjectKind][]) {
    for (const [, hash] of namesIn(directory.names[name], read)) yield { kind, hash };
  }
}

/** The objects that the directory itself names, but for those of its inline tables. */
export function* objectsNamedBy(directory: Directory): Generator<NamedObject> {
  const { overview, categories, tags, pages, author_pages, views, popular, search, names } = directory;
  const lists = {
    overview: [overview],
    categories: [categories],
    tags: [tags],
    page: pages,
    authors: author_pages,
    views,
    popular,
    search: search.flat(),
    names: Object.values(names).flatMap((table) => ('shards' in table ? table.shards : [])),
  } satisfies Partial<Record<ObjectKind, readonly ObjectHash[]>>;
  for (const [kind, hashes] of Object.entries(lists) as [keyof typeof lists, readonly ObjectHash[]][]) {
    for (const hash of hashes) yield { kind, hash };
  }
}
