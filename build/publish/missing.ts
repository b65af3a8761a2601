import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pointer } from '../../contract/pointer.ts';
import type { PublishOptions } from './publish.ts';
import { bucketObjectsOf, localObjectsOf } from './snapshot-objects.ts';

/**
 * From so many objects on it pays to list what the bucket holds, a thousand names a request: an upload from
 * another machine may have been interrupted.
 */
const WORTH_LISTING = 1000;

export interface Missing {
  /** Objects of the snapshot, all in all. */
  readonly objects: number;
  /** The paths of those that have to be uploaded. */
  readonly missing: readonly string[];
}

/**
 * Finds the objects of a snapshot that the bucket lacks. Nothing is asked for one by one: the snapshot that the bucket
 * serves says what is there, and the journal what an interrupted upload has added. Where nothing is served yet, the
 * journal might speak of a bucket that was emptied since, so a listing says it.
 *
 * @param local the output's pointer
 * @param full a listing says it anyhow, and a file of another size counts as missing
 * @param current what the bucket serves; undefined: nothing
 * @param journalled paths of objects that are there for certain
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
    if (missing.length < WORTH_LISTING) return { objects: objects.size, missing };
  }
  const listed = new Map<string, number>();
  for await (const { path, size } of bucket.list('objects/')) listed.set(path, size);
  const isThere = (path: string) =>
    full ? listed.get(path) === statSync(join(out, path)).size : listed.has(path);
  return { objects: objects.size, missing: [...objects].filter((path) => !isThere(path)) };
}
