/**
 * The record of changes of a bucket. It is separate from the output's: it records what the bucket served, from
 * whichever output. So it continues if each publish uses a new output, and after a rollback of either.
 */
import { objectHash } from '../../common/object-hash.ts';
import type { ChangeLog } from '../../contract/change-log.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { updateChangeLog } from '../snapshot/change-log.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { inParallel } from '../snapshot/parallel.ts';
import type { Bucket } from './bucket.ts';
import { CACHE_CONTROL } from './pack.ts';
import type { ReadPointer } from './bucket-pointer.ts';
import { findInBucket, pathsOfLog } from './snapshot-objects.ts';
import { DEFAULT_CONNECTIONS } from '../../common/bucket/target.ts';

/**
 * Extends the bucket's record by its next snapshot, whose objects are in the output or the bucket, and uploads the
 * record's objects.
 *
 * @param current what the bucket serves; undefined: nothing of this format
 * @throws BucketError
 */
export async function updateBucketChangeLog(
  bucket: Bucket,
  out: string,
  current: Pointer | undefined,
  next: ObjectHash,
): Promise<ChangeLog> {
  const find = findInBucket(bucket, out);
  const made = new Map<string, Buffer>();
  const changes = await updateChangeLog(current, next, {
    now: Math.floor(bucket.client.now.getTime() / 1000),
    store: {
      put(kind, content) {
        const hash = objectHash(content);
        made.set(objectPath(kind, hash), Buffer.from(content));
        return hash;
      },
      async read(kind, hash) {
        const text = await find(kind, hash);
        if (text === undefined) throw new SnapshotIncomplete(next, objectPath(kind, hash));
        return text;
      },
    },
  });
  await inParallel(made, DEFAULT_CONNECTIONS, async ([path, bytes]) => {
    await bucket.put(path, bytes, CACHE_CONTROL);
  });
  return changes;
}

/** What a bucket serves, without its record of changes if an object of the record is missing. @throws BucketError */
export async function withIntactRecord(
  bucket: Bucket,
  { published }: ReadPointer,
): Promise<Pointer | undefined> {
  if (!published) return undefined;
  const missing = pathsOfLog(published.pointer);
  for await (const { path } of bucket.list('objects/changes/')) missing.delete(path);
  const { changes, ...rest } = published.pointer;
  return changes && missing.size === 0 ? published.pointer : rest;
}
