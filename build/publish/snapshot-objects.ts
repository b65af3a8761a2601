import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDirectory } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { NamedObject, ObjectKind } from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { objectsNamedBy, objectsOf, objectsOfLog, readObject } from '../history/reachable.ts';
import type { Bucket } from './bucket.ts';
import { BucketSnapshotIncomplete, ObjectDamaged } from './errors.ts';

/**
 * The paths of all objects of a snapshot in the output.
 *
 * @throws ObjectDamaged if its directory or a shard of names cannot be read
 */
export function localObjectsOf(out: string, snapshot: ObjectHash): Set<string> {
  try {
    return pathsOf(objectsOf(out, snapshot));
  } catch {
    throw new ObjectDamaged(objectPath('directory', snapshot), 'names an object that cannot be read');
  }
}

/**
 * The paths of all objects of a snapshot in the bucket. The directory and the shards of names are read from the output
 * if it has them, because a name has the same content everywhere. Otherwise they are downloaded.
 *
 * @throws BucketError, including BucketSnapshotIncomplete
 */
export async function bucketObjectsOf(
  bucket: Bucket,
  out: string,
  snapshot: ObjectHash,
): Promise<Set<string>> {
  const downloaded = new Map<string, string>();
  const read = (kind: ObjectKind, hash: ObjectHash) =>
    downloaded.get(objectPath(kind, hash)) ?? readObject(out, kind, hash);
  const download = async (kind: ObjectKind, hash: ObjectHash) => {
    const path = objectPath(kind, hash);
    if (existsSync(join(out, path))) return;
    const { file } = await bucket.get(path);
    if (!file) throw new BucketSnapshotIncomplete(snapshot, path, bucket.name);
    downloaded.set(path, file.bytes.toString());
  };

  await download('directory', snapshot);
  const shards = [...objectsNamedBy(parseDirectory(read('directory', snapshot)))].filter(
    ({ kind }) => kind === 'names',
  );
  await Promise.all(shards.map(({ kind, hash }) => download(kind, hash)));
  return pathsOf(objectsOf(read, snapshot));
}

/** The paths of the objects of a record of changes. */
export function pathsOfLog(pointer: Pick<Pointer, 'changes'>): Set<string> {
  return pathsOf(objectsOfLog(pointer));
}

/** Reads the text of an object from the output if it has it, otherwise from the bucket. Undefined: it is in neither. */
export function findInBucket(
  bucket: Bucket,
  out: string,
): (kind: ObjectKind, hash: ObjectHash) => Promise<string | undefined> {
  return async (kind, hash) => {
    const path = objectPath(kind, hash);
    if (existsSync(join(out, path))) return readObject(out, kind, hash);
    return (await bucket.get(path)).file?.bytes.toString();
  };
}

function pathsOf(objects: Iterable<NamedObject>): Set<string> {
  return new Set(Array.from(objects, ({ kind, hash }) => objectPath(kind, hash)));
}
