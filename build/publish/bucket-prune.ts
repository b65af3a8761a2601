import { hashInPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { batchesOf } from '../parallel.ts';
import { publications } from '../pointer-file.ts';
import type { PruneReport } from '../snapshots/prune.ts';
import { oldArticlePacks } from './article-packs.ts';
import { type Bucket, type BucketFile, MOST_DELETED_AT_ONCE } from './bucket.ts';
import { changeBucketPointer, readBucketPointer, replaceBucketPointer } from './bucket-pointer.ts';
import { BucketEmpty, BucketSnapshotIncomplete, ChangedMeanwhile, PruneRunning } from './errors.ts';
import { oldPacks } from './pack.ts';
import { probeOnce } from './probe.ts';
import { begun, ended, runningSince } from './prune-mark.ts';
import { bucketObjectsOf, bucketObjectsOfLog } from './snapshot-objects.ts';

/**
 * An object that no kept snapshot names stays so long: for gateways that still answer from it, and for an
 * upload that has not ended yet, which would have to start again.
 */
export const BUCKET_GRACE_MS = 24 * 3_600_000;

/** A prune stops after so long, well before the service would refuse its requests; the next one continues. */
const LONGEST_MS = 10 * 60_000;

/**
 * Removes the objects of a bucket that none of its kept snapshots names. May be interrupted at any moment
 * (prune-mark.ts).
 *
 * @param out saves downloads where it has the snapshots too
 * @param graceMs younger objects stay, by the service's clock; 0: none stays
 * @throws BucketEmpty, PruneRunning, ChangedMeanwhile, PublishError
 */
export async function pruneBucket(bucket: Bucket, out: string, graceMs: number): Promise<PruneReport> {
  const read = await readBucketPointer(bucket);
  if (!read.published) throw new BucketEmpty(bucket.name);
  const since = runningSince(read);
  if (since !== undefined) throw new PruneRunning(bucket.name, since);
  await probeOnce(bucket, out);
  const { pointer, prune } = read.published;
  const mark = begun(prune, read.date);
  if (!(await replaceBucketPointer(bucket, read, { pointer, prune: mark }))) {
    throw new ChangedMeanwhile(bucket.name);
  }

  const started = bucket.client.now.getTime();
  // Whether a request for removal went unanswered: it may be carried out yet.
  let mayStillRemove = false;
  const end = async () => {
    if (mayStillRemove) return; // The mark expires by itself.
    await changeBucketPointer(bucket, (now) => ({
      pointer: now.pointer,
      prune: now.prune.running?.by === mark.running.by ? ended(mark) : now.prune,
    }));
  };
  try {
    const kept = await keptObjects(bucket, out, pointer);
    const isOld = ({ modified }: BucketFile) =>
      graceMs === 0 || read.date.getTime() - modified.getTime() >= graceMs;
    const old = [
      ...(await oldObjects(bucket, kept, isOld)),
      ...(await oldPacks(bucket, publications(pointer), isOld)),
      ...(await oldArticlePacks(bucket, out, publications(pointer), isOld)),
    ];
    let [removed, bytes] = [0, 0];
    for (const batch of batchesOf(old, MOST_DELETED_AT_ONCE)) {
      if (bucket.client.now.getTime() - started > LONGEST_MS) break;
      const unanswered = bucket.client.unanswered;
      try {
        await bucket.delete(
          batch.map(({ path }) => path),
          read.date,
        );
      } finally {
        mayStillRemove ||= bucket.client.unanswered > unanswered;
      }
      removed += batch.length;
      bytes += batch.reduce((sum, { size }) => sum + size, 0);
    }
    await end();
    return { removed, bytes, kept: kept.size };
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
}

async function keptObjects(bucket: Bucket, out: string, pointer: Pointer): Promise<ReadonlySet<string>> {
  const kept = new Set(await bucketObjectsOfLog(bucket, out, pointer));
  for (const [i, { snapshot }] of publications(pointer).entries()) {
    const isCurrent = i === 0;
    for (const path of await objectsToKeep(bucket, out, snapshot, isCurrent)) kept.add(path);
  }
  return kept;
}

async function oldObjects(
  bucket: Bucket,
  kept: ReadonlySet<string>,
  isOld: (file: BucketFile) => boolean,
): Promise<BucketFile[]> {
  const old: BucketFile[] = [];
  for await (const file of bucket.list('objects/')) {
    // Other files there are not ours to remove.
    if (isOld(file) && !kept.has(file.path) && hashInPath(file.path) !== null) old.push(file);
  }
  return old;
}

/** An earlier snapshot whose directory is gone cannot be gone back to, and keeps nothing. */
async function objectsToKeep(
  bucket: Bucket,
  out: string,
  snapshot: string,
  isCurrent: boolean,
): Promise<ReadonlySet<string>> {
  try {
    return await bucketObjectsOf(bucket, out, snapshot);
  } catch (error) {
    const isGone = error instanceof BucketSnapshotIncomplete && error.path.startsWith('objects/directory/');
    if (isCurrent || !isGone) throw error;
    return new Set();
  }
}
