import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CONNECTIONS } from '../../common/bucket/target.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { FolderStorage } from '../history/folder-storage.ts';
import { objectsIn } from '../history/reachable.ts';
import type { PublishOptions } from './publish.ts';

export interface Missing {
  /** The number of objects in the snapshot. */
  readonly objects: number;
  /** The paths of objects to upload. */
  readonly missing: readonly string[];
}

/**
 * Finds the objects of a snapshot that the bucket lacks, without a request for each. The bucket has all objects of the
 * snapshot that it serves. If it lacks more others than one round of uploads and 1% of all, an interrupted publish may
 * have left some, so it is listed. That takes one request for each 1,000 files: a fraction of the uploads.
 *
 * @param local the output's pointer
 * @param full always list the bucket, and treat files of another size as missing
 * @param current what the bucket serves; undefined: nothing
 * @throws SnapshotIncomplete, BucketError
 */
export async function findMissing(
  { storage, full }: Pick<PublishOptions, 'storage' | 'full'>,
  local: Pointer,
  current: Pointer | undefined,
): Promise<Missing> {
  const objects = await objectsIn(new FolderStorage(storage.out), local.snapshot);
  if (current && !full) {
    const there = await objectsIn(storage, current.snapshot);
    const missing = [...objects].filter((path) => !there.has(path));
    if (missing.length <= Math.max(DEFAULT_CONNECTIONS, objects.size / 100))
      return { objects: objects.size, missing };
  }
  const listed = new Map<string, number>();
  for await (const { path, size } of storage.list('objects/')) listed.set(path, size);
  const isThere = (path: string) =>
    full ? listed.get(path) === statSync(join(storage.out, path)).size : listed.has(path);
  return { objects: objects.size, missing: [...objects].filter((path) => !isThere(path)) };
}
