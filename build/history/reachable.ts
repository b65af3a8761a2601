import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { type NameEntries, type NameTable, parseNames } from '../../contract/name-table.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import {
  ALL_KINDS,
  type NamedObject,
  namedByDirectory,
  namedByEntry,
  nameTables,
  type ObjectKind,
} from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import type { SnapshotStorage } from './storage.ts';

/** Reads the text of an object. */
export type ReadObject = (kind: ObjectKind, hash: ObjectHash) => string;

function namesIn(table: NameTable, read: ReadObject): NameEntries {
  if ('inline' in table) return table.inline;
  return table.shards.flatMap((hash) => parseNames(read('names', hash)));
}

/**
 * All objects of a snapshot, the directory first; some more than once.
 *
 * @param read reads the directory and the shards of names
 */
export function* objectsOf(read: ReadObject, snapshot: ObjectHash): Generator<NamedObject> {
  yield { kind: 'directory', hash: snapshot };
  const directory = parseDirectory(read('directory', snapshot));
  yield* objectsNamedBy(directory);
  for (const [name, table] of nameTables(directory)) {
    for (const entry of namesIn(table, read)) yield* namedByEntry(name, entry);
  }
}

/** The objects of a pointer's record of changes. */
export function objectsOfLog({ changes }: Pick<Pointer, 'changes'>): readonly NamedObject[] {
  return (changes?.parts ?? []).map(({ hash }) => ({ kind: 'changes', hash }));
}

/** The objects that the directory itself names, without those in inline tables. */
export function* objectsNamedBy(directory: Directory): Generator<NamedObject> {
  for (const kind of ALL_KINDS) {
    for (const hash of namedByDirectory(kind, directory)) yield { kind, hash };
  }
}

/** The paths of a record of changes. */
export function pathsOfLog(pointer: Pick<Pointer, 'changes'>): Set<string> {
  return pathsOf(objectsOfLog(pointer));
}

/**
 * The paths of all objects of a snapshot.
 *
 * @throws SnapshotIncomplete if its directory or a shard of names is missing or damaged
 */
export async function objectsIn(storage: SnapshotStorage, snapshot: ObjectHash): Promise<Set<string>> {
  const texts = new Map<string, string>();
  const load = async (kind: ObjectKind, hash: ObjectHash): Promise<string> => {
    const path = objectPath(kind, hash);
    const bytes = await storage.readObject(path);
    if (!bytes) throw new SnapshotIncomplete(snapshot, path, storage.place);
    const text = bytes.toString();
    texts.set(path, text);
    return text;
  };
  const directory = parseDirectory(await load('directory', snapshot));
  await Promise.all(namedByDirectory('names', directory).map((hash) => load('names', hash)));
  return pathsOf(objectsOf((kind, hash) => texts.get(objectPath(kind, hash)) ?? '', snapshot));
}

/** The slugs of all articles in a snapshot; empty if it is incomplete. */
export async function slugsIn(storage: SnapshotStorage, snapshot: ObjectHash): Promise<string[]> {
  const read = async (kind: ObjectKind, hash: ObjectHash) =>
    (await storage.readObject(objectPath(kind, hash)))?.toString();
  const directory = await read('directory', snapshot);
  if (directory === undefined) return [];
  const { post } = parseDirectory(directory).names;
  if ('inline' in post) return post.inline.map(([slug]) => slug);
  const shards = await Promise.all(post.shards.map((hash) => read('names', hash)));
  return shards.flatMap((shard) => (shard === undefined ? [] : parseNames(shard))).map(([slug]) => slug);
}

function pathsOf(objects: Iterable<NamedObject>): Set<string> {
  return new Set(Array.from(objects, ({ kind, hash }) => objectPath(kind, hash)));
}
