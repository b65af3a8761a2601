import { BucketEmpty } from '../../common/bucket/errors.ts';
import { hashInPath } from '../../contract/object-name.ts';
import { type Pointer, requireFormat } from '../../contract/pointer.ts';
import { batchesOf } from '../snapshot/parallel.ts';
import { publications } from '../output/pointer-file.ts';
import type { PruneReport } from '../history/prune.ts';
import { oldArticlePacks } from './article-packs.ts';
import { type Bucket, type BucketFile, MAX_DELETED_PER_REQUEST } from './bucket.ts';
import { changeBucketPointer, readBucketPointer, replaceBucketPointer } from './bucket-pointer.ts';
import { BucketSnapshotIncomplete, ChangedMeanwhile, PruneRunning } from './errors.ts';
import { oldPacks } from './pack.ts';
import { probeOnce } from './probe.ts';
import { begunMark, endedMark, runningSince } from './prune-mark.ts';
import { bucketObjectsOf, pathsOfLog } from './snapshot-objects.ts';

/**
 * How long unreferenced objects stay: for gateways that still read them, and for an upload in progress, which would
 * otherwise have to start again.
 */
export const BUCKET_GRACE_MS = 24 * 3_600_000;

/** A prune stops after this time, well before the service would refuse its requests; the next one continues. */
const MAX_DURATION_MS = 10 * 60_000;

/**
 * Removes the objects of a bucket that no kept snapshot names. Safe to interrupt at any time (prune-mark.ts).
 *
 * @param out saves downloads if it has the snapshots too
 * @param graceMs younger objects stay, by the service's clock; 0: none stays
 * @throws BucketEmpty, PointerUnreadable, PruneRunning, ChangedMeanwhile, BucketError
 */
export async function pruneBucket(bucket: Bucket, out: string, graceMs: number): Promise<PruneReport> {
  const read = await readBucketPointer(bucket);
  if (!read.published) throw new BucketEmpty(bucket.name);
  requireFormat(read.published.pointer);
  const since = runningSince(read);
  if (since !== undefined) throw new PruneRunning(bucket.name, since);
  await probeOnce(bucket, out);
  const { pointer, prune, pack } = read.published;
  const mark = begunMark(prune, read.date);
  if (!(await replaceBucketPointer(bucket, read, { pointer, prune: mark, pack }))) {
    throw new ChangedMeanwhile(bucket.name);
  }

  const started = bucket.client.now.getTime();
  // A delete request without an answer may still be carried out.
  let mayStillRemove = false;
  const end = async () => {
    if (mayStillRemove) return; // The mark expires by itself.
    await changeBucketPointer(bucket, (now) => ({
      pointer: now.pointer,
      prune: now.prune.running?.by === mark.running.by ? endedMark(mark) : now.prune,
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
    for (const batch of batchesOf(old, MAX_DELETED_PER_REQUEST)) {
      if (bucket.client.now.getTime() - started > MAX_DURATION_MS) break;
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
  const kept = pathsOfLog(pointer);
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
    // Never remove files that are not objects.
    if (isOld(file) && !kept.has(file.path) && hashInPath(file.path) !== null) old.push(file);
  }
  return old;
}

/** An earlier snapshot without its directory cannot be rolled back to, and keeps no objects. */
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
