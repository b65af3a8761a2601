import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDirectory } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { NamedObject, ObjectKind } from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { objectsNamedBy, objectsOf, objectsOfLog, readObject } from '../snapshots/reachable.ts';
import type { Bucket } from './bucket.ts';
import { inParallel } from '../parallel.ts';
import { BucketSnapshotIncomplete, ObjectDamaged } from './errors.ts';
import { DEFAULT_CONNECTIONS } from './target.ts';

/**
 * The paths of all objects of a snapshot that the output holds.
 *
 * @throws ObjectDamaged where its directory or a shard of names cannot be read
 */
export function localObjectsOf(out: string, snapshot: ObjectHash): Set<string> {
  try {
    return pathsOf(objectsOf(out, snapshot));
  } catch {
    throw new ObjectDamaged(objectPath('directory', snapshot), 'names an object that cannot be read');
  }
}

/**
 * The paths of all objects of a snapshot in the bucket. What says so, the directory and the shards of names,
 * is read from the output where it has them, since a name holds the same everywhere; the rest is downloaded.
 *
 * @throws PublishError, BucketSnapshotIncomplete among them
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

/** The paths of the objects of a bucket's record of changes. Where one is missing, what it names is left out. */
export async function bucketObjectsOfLog(
  bucket: Bucket,
  out: string,
  pointer: Pick<Pointer, 'changes'>,
): Promise<ReadonlySet<string>> {
  const find = findInBucket(bucket, out);
  const parts = new Map<ObjectHash, string>();
  await inParallel(pointer.changes?.parts ?? [], DEFAULT_CONNECTIONS, async ({ hash }) => {
    parts.set(hash, (await find('changes', hash)) ?? '[]');
  });
  return pathsOf(objectsOfLog(pointer, (_, hash) => parts.get(hash) ?? '[]'));
}

/** The text of an object, from the output where it has it: a name holds the same everywhere. Undefined: there is none. */
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
