import { BucketEmpty } from '../../common/bucket/errors.ts';
import { objectHash } from '../../common/object-hash.ts';
import { hashInPath, type ObjectHash } from '../../contract/object-name.ts';
import { type Pointer, type Publication, requireFormat } from '../../contract/pointer.ts';
import { keptSnapshot, rolledBackTo } from '../history/rollback.ts';
import type { Fault, VerifyReport } from '../history/verify.ts';
import type { Bucket } from './bucket.ts';
import { changeBucketPointer, readBucketPointer } from './bucket-pointer.ts';
import { updateBucketChangeLog } from './bucket-record.ts';
import { BucketSnapshotIncomplete } from './errors.ts';
import { inParallel } from '../snapshot/parallel.ts';
import { guardRollback } from '../output/plans.ts';
import { limitsIn } from './guards.ts';
import { probeOnce } from './probe.ts';
import { DEFAULT_CONNECTIONS } from '../../common/bucket/target.ts';
import { bucketObjectsOf, pathsOfLog } from './snapshot-objects.ts';

/** The pointer of a bucket, whose snapshot can be read. @throws BucketEmpty, PointerUnreadable, BucketError */
export async function bucketPointer(bucket: Bucket): Promise<Pointer> {
  return requireFormat(await anyBucketPointer(bucket));
}

/** The same, of this format or an earlier one. @throws BucketEmpty, BucketError */
async function anyBucketPointer(bucket: Bucket): Promise<Pointer> {
  const { published } = await readBucketPointer(bucket);
  if (!published) throw new BucketEmpty(bucket.name);
  return published.pointer;
}

/**
 * Makes an earlier snapshot of the bucket the current one, and holds it: `publish` changes nothing until
 * `releaseBucket`. Gateways follow within seconds.
 *
 * @param out saves downloads if it has the snapshot too
 * @param id of a kept snapshot, or its first characters
 * @param force also to other limits
 * @throws BucketEmpty, PointerUnreadable, NoSuchSnapshot, RollbackChangesLimits, BucketSnapshotIncomplete, ChangedMeanwhile,
 * BucketError
 */
export async function rollBackBucket(
  bucket: Bucket,
  out: string,
  id: string,
  force = false,
): Promise<Publication> {
  const pointer = await bucketPointer(bucket);
  const target = keptSnapshot(pointer, id);
  if (!force) {
    const before = await limitsIn(bucket, out, pointer.snapshot);
    guardRollback(out, before, await limitsIn(bucket, out, target.snapshot));
  }
  const files = new Set<string>();
  for await (const { path } of bucket.list('objects/')) files.add(path);
  for (const path of await bucketObjectsOf(bucket, out, target.snapshot)) {
    if (!files.has(path)) throw new BucketSnapshotIncomplete(target.snapshot, path, bucket.name);
  }
  await probeOnce(bucket, out);
  await serveEarlier(bucket, out, target.snapshot);
  return target;
}

/** The last step of a rollback. @throws NoSuchSnapshot, BucketEmpty, ChangedMeanwhile, BucketError */
export function serveEarlier(bucket: Bucket, out: string, id: ObjectHash): Promise<void> {
  return changeBucketPointer(bucket, async ({ pointer, prune }) => {
    const target = keptSnapshot(pointer, id);
    const changes = await updateBucketChangeLog(bucket, out, pointer, id);
    return { pointer: rolledBackTo(pointer, target, changes), prune };
  });
}

/**
 * Ends a rollback: the next `publish` publishes again.
 *
 * @param out records that the store was probed
 * @returns whether there was one
 * @throws BucketEmpty, ChangedMeanwhile, BucketError
 */
export async function releaseBucket(bucket: Bucket, out: string): Promise<boolean> {
  const { held } = await anyBucketPointer(bucket);
  if (held) {
    await probeOnce(bucket, out);
    await changeBucketPointer(bucket, ({ pointer, prune }) => ({
      pointer: { ...pointer, held: false },
      prune,
    }));
  }
  return held;
}

/**
 * Downloads all objects of a snapshot in the bucket, and compares each with the hash in its name. It does not compare
 * them with each other, because the build made them.
 *
 * @throws BucketError
 */
export async function verifyBucketSnapshot(
  bucket: Bucket,
  out: string,
  pointer: Pick<Pointer, 'snapshot' | 'changes'>,
): Promise<VerifyReport> {
  const { snapshot } = pointer;
  const faults: Fault[] = [];
  let bytes = 0;
  const check = async (path: string) => {
    const { file } = await bucket.get(path);
    bytes += file?.bytes.length ?? 0;
    if (!file) faults.push({ object: path, fault: 'is missing' });
    else if (objectHash(file.bytes) !== hashInPath(path)) {
      faults.push({ object: path, fault: 'does not match the hash in its name' });
    }
  };
  const objects = new Set([...pathsOfLog(pointer), ...(await namedObjects(bucket, out, snapshot))]);
  await inParallel(objects, DEFAULT_CONNECTIONS, check);
  faults.sort((a, b) => (a.object < b.object ? -1 : 1));
  return { snapshot, objects: objects.size, bytes, faults };
}

/** The objects of a snapshot; if its directory or a shard of names is missing, only the missing object. */
async function namedObjects(bucket: Bucket, out: string, snapshot: ObjectHash): Promise<Set<string>> {
  try {
    return await bucketObjectsOf(bucket, out, snapshot);
  } catch (error) {
    if (!(error instanceof BucketSnapshotIncomplete)) throw error;
    return new Set([error.path]);
  }
}
