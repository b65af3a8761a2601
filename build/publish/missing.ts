import type { ObjectHash } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import type { Bucket } from './bucket.ts';
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
 * Finds the objects of a snapshot that the bucket lacks. Nothing is asked for one by one: the snapshot that
 * the bucket serves says what is there, and the journal what an interrupted upload has added. Where nothing
 * is served yet, the journal might speak of a bucket that was emptied since, so a listing says it.
 *
 * @param current what the bucket serves; undefined: nothing
 * @param journalled paths of objects that are there for certain
 */
export async function findMissing(
  out: string,
  bucket: Bucket,
  snapshot: ObjectHash,
  current: Pointer | undefined,
  journalled: ReadonlySet<string>,
): Promise<Missing> {
  const objects = localObjectsOf(out, snapshot);
  const lacking = (there: ReadonlySet<string>) => [...objects].filter((path) => !there.has(path));
  const known =
    current && new Set([...(await bucketObjectsOf(bucket, out, current.snapshot)), ...journalled]);
  const missing = known && lacking(known);
  const isListed = !missing || missing.length >= WORTH_LISTING;
  return { objects: objects.size, missing: isListed ? lacking(await listObjects(bucket)) : missing };
}

async function listObjects(bucket: Bucket): Promise<Set<string>> {
  const paths = new Set<string>();
  for await (const { path } of bucket.list('objects/')) paths.add(path);
  return paths;
}
