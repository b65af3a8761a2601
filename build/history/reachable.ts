import { parseDirectory } from '../../contract/directory.ts';
import { Lines } from '../../contract/lines.ts';
import { decodeNames } from '../../contract/name-table.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import {
  type NamedObject,
  namedByDirectory,
  namedByEntry,
  nameTables,
  type ObjectKind,
} from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import type { SnapshotStorage } from './storage.ts';

/** The objects of a pointer's record of changes. */
function logObjects({ changes }: Pick<Pointer, 'changes'>): readonly NamedObject[] {
  return (changes?.parts ?? []).map(({ hash }) => ({ kind: 'lines', hash }));
}

/** The paths of a record of changes. */
export function logPaths(pointer: Pick<Pointer, 'changes'>): Set<string> {
  return toPaths(logObjects(pointer));
}

/**
 * The paths of all objects of a snapshot.
 *
 * @throws SnapshotIncomplete if its directory or a shard of names is missing or damaged
 */
export async function objectsIn(storage: SnapshotStorage, snapshot: ObjectHash): Promise<Set<string>> {
  const read = async (kind: ObjectKind, hash: ObjectHash) => {
    const path = objectPath(kind, hash);
    const bytes = await storage.readObject(path);
    if (!bytes) throw new SnapshotIncomplete(snapshot, path, storage.place);
    return bytes;
  };
  const directory = parseDirectory((await read('directory', snapshot)).toString());
  const objects: NamedObject[] = [{ kind: 'directory', hash: snapshot }, ...namedByDirectory(directory)];
  for (const [name, table] of nameTables(directory)) {
    const shards =
      'shards' in table ? table.shards.map(async (hash) => new Lines(await read('lines', hash))) : [];
    const entries = 'inline' in table ? table.inline : (await Promise.all(shards)).flatMap(decodeNames);
    for (const entry of entries) objects.push(...namedByEntry(name, entry));
  }
  return toPaths(objects);
}

/** The slugs of all articles in a snapshot; empty if it is incomplete. */
export async function slugsIn(storage: SnapshotStorage, snapshot: ObjectHash): Promise<string[]> {
  const bytes = await storage.readObject(objectPath('directory', snapshot));
  if (!bytes) return [];
  const { post } = parseDirectory(bytes.toString()).names;
  if ('inline' in post) return post.inline.map(([slug]) => slug);
  const shards = await Promise.all(post.shards.map((hash) => storage.readObject(objectPath('lines', hash))));
  return shards.flatMap((shard) => (shard ? decodeNames(new Lines(shard)) : [])).map(([slug]) => slug);
}

function toPaths(objects: Iterable<NamedObject>): Set<string> {
  return new Set(Array.from(objects, ({ kind, hash }) => objectPath(kind, hash)));
}
