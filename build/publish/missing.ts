import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pointer } from '../../contract/pointer.ts';
import type { PublishOptions } from './publish.ts';
import { bucketObjectsOf, localObjectsOf } from './snapshot-objects.ts';

/**
 * From this many missing objects on, listing the bucket pays off (1000 names a request): an interrupted upload from
 * another machine may have left some.
 */
const MIN_MISSING_TO_LIST = 1000;

export interface Missing {
  /** The number of objects in the snapshot. */
  readonly objects: number;
  /** The paths of objects to upload. */
  readonly missing: readonly string[];
}

/**
 * Finds the objects of a snapshot that the bucket lacks, without a request for each. The snapshot that the bucket
 * serves and the journal of an interrupted upload show what is there. If nothing is served yet, the bucket is listed:
 * it may have been emptied since the journal was written.
 *
 * @param local the output's pointer
 * @param full always list the bucket, and treat files of another size as missing
 * @param current what the bucket serves; undefined: nothing of this format
 * @param journalled paths of objects that are certainly there
 */
export async function findMissing(
  { out, bucket, full }: Pick<PublishOptions, 'out' | 'bucket' | 'full'>,
  local: Pointer,
  current: Pointer | undefined,
  journalled: ReadonlySet<string>,
): Promise<Missing> {
  const objects = localObjectsOf(out, local.snapshot);
  if (current && !full) {
    const there = await bucketObjectsOf(bucket, out, current.snapshot);
    const missing = [...objects].filter((path) => !there.has(path) && !journalled.has(path));
    if (missing.length < MIN_MISSING_TO_LIST) return { objects: objects.size, missing };
  }
  const listed = new Map<string, number>();
  for await (const { path, size } of bucket.list('objects/')) listed.set(path, size);
  const isThere = (path: string) =>
    full ? listed.get(path) === statSync(join(out, path)).size : listed.has(path);
  return { objects: objects.size, missing: [...objects].filter((path) => !isThere(path)) };
}
