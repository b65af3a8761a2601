/**
 * Output folder → bucket, over the S3 API. The steps of a publish, from top to bottom:
 *
 *   pointer   bucket-storage.ts    what the bucket serves, and its ETag, the condition for replacing it
 *   guard     guards.ts            another blog, fewer posts or lost limits: refused
 *   probe     probe.ts             at the first publish: does the store support conditional writes?
 *   missing   missing.ts           the objects that the bucket lacks
 *   upload                         these, in parallel; the directory last
 *   record    change-record.ts     what changed in the bucket, for copies of the blog
 *   packs     pack.ts              for a small blog, all objects but bodies
 *   switch    bucket-storage.ts    the pointer with what a cold gateway needs first, by a conditional write
 *   keys      bucket-keys.ts       the key records that differ
 *
 * Lower layers: bucket.ts (files), s3-client.ts (signed requests), retry.ts (back-off).
 *
 * After any failure, and if the process is killed at any time, the bucket's pointer names a complete snapshot. If
 * another publish or a rollback is faster, this publish changes nothing that is served.
 */
import { ExplainedError } from '../../common/errors.ts';
import type { Progress } from '../../common/progress.ts';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotHeld } from '../errors.ts';
import { extendChangeLog, isChangeLogIntact } from '../history/change-record.ts';
import { historyWithout, requirePointer } from '../output/pointer-file.ts';
import { inParallel } from '../snapshot/parallel.ts';
import { IMMUTABLE } from './bucket.ts';
import { publishKeys } from './bucket-keys.ts';
import type { BucketPointer, BucketStorage } from './bucket-storage.ts';
import { guardBucket } from './guards.ts';
import { type PublishReport, recordPublish } from './last-publish.ts';
import { findMissing, type Missing } from './missing.ts';
import { firstPack, uploadPack } from './pack.ts';
import { probe } from './probe.ts';
import { endedMark, NEVER_PRUNED } from './prune-mark.ts';

export interface PublishOptions {
  /** The bucket, and the output folder to publish. */
  readonly storage: BucketStorage;
  /** Parallel uploads. */
  readonly connections: number;
  /** Trust nothing: list the bucket, and repair missing objects and an invalid pointer. */
  readonly full: boolean;
  /** One post is withdrawn: it may be missing. */
  readonly withdrawing?: boolean;
  /** Publish even if another blog is served, more than half of the posts would be removed, or limits would be lost. */
  readonly force?: boolean;
  /** Whether there is a configuration; used only if the last build did not record it. */
  readonly configured?: boolean;
  readonly progress: Progress;
}

/**
 * Publishes the output's current snapshot to a bucket.
 *
 * @throws NothingPublished, PointerUnreadable, SnapshotHeld, OtherBlog, TooManyPostsGone, LimitsLost, BucketError
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const started = performance.now();
  const { bucket, out } = options.storage;
  const local = requirePointer(out);
  try {
    const uploaded = await publishSnapshot(options, local);
    const report = {
      snapshot: local.snapshot,
      posts: local.posts,
      ...uploaded,
      keys: await publishKeys(options),
      retries: bucket.client.retries,
      seconds: Math.round(performance.now() - started) / 1000,
    };
    recordPublish(out, bucket, report);
    return report;
  } catch (error) {
    if (error instanceof ExplainedError) recordPublish(out, bucket, error);
    throw error;
  }
}

type Uploaded = Pick<PublishReport, 'uploaded' | 'bytes' | 'skipped' | 'fewer'>;

async function publishSnapshot(options: PublishOptions, local: Pointer): Promise<Uploaded> {
  const { storage, full, force = false, configured = true } = options;
  let report: Uploaded = { uploaded: 0, bytes: 0, skipped: 0 };
  // If a prune starts meanwhile, it may remove uploaded objects, so everything is done again.
  const publishTo = async (published: BucketPointer | undefined): Promise<BucketPointer | null> => {
    const current = full ? await withIntactRecord(storage, published?.pointer) : published?.pointer;
    if (current?.held) throw new SnapshotHeld(current.snapshot, storage.flags);
    const expected = current && { ...current, posts: current.posts - (options.withdrawing ? 1 : 0) };
    if (expected && !force) await guardBucket(storage, configured, local, expected);
    if (!published || full) await probe(storage.bucket);

    const uploaded = await uploadMissing(options, local, await findMissing(options, local, current));
    const fewer = (expected?.posts ?? 0) - local.posts;
    report = fewer > 0 ? { ...uploaded, fewer } : uploaded;
    const changes = await extendChangeLog(storage, current, local.snapshot);
    const isCurrent = local.snapshot === current?.snapshot;
    let pack = published?.pack ?? null;
    let isServed = isCurrent && local.blog === current.blog && current.changes !== undefined;
    // After a rollback there is none.
    if (!isCurrent || full || pack === null) {
      await uploadPack(storage, local);
      const made = await firstPack(storage, local.snapshot);
      isServed &&= Buffer.compare(made ?? NO_BYTES, pack ?? NO_BYTES) === 0;
      pack = made;
    }
    if (isServed) return null;
    // The bucket has its own history: the snapshots that it served, not those of the output.
    const pointer = { ...local, changes, held: false, previous: historyWithout(local.snapshot, current) };
    return { pointer, prune: endedMark(published?.prune ?? NEVER_PRUNED), pack };
  };
  await storage.switchPointer(publishTo, { waits: true, repairs: full });
  return report;
}

const NO_BYTES = new Uint8Array();

/** What a bucket serves, without its record of changes if an object of the record is missing or damaged. */
async function withIntactRecord(
  storage: BucketStorage,
  pointer: Pointer | undefined,
): Promise<Pointer | undefined> {
  if (!pointer || (await isChangeLogIntact(storage, pointer))) return pointer;
  const { changes: _, ...rest } = pointer;
  return rest;
}

/**
 * Uploads objects in parallel; the directory last: a bucket that has it also has all objects that it names. After the first
 * failure no more uploads start, and those in progress are waited for.
 */
async function uploadMissing(
  { storage, connections, progress }: PublishOptions,
  { snapshot }: Pointer,
  { objects, missing }: Missing,
): Promise<Uploaded> {
  const skipped = objects - missing.length;
  if (missing.length === 0) return { uploaded: 0, bytes: 0, skipped };
  let bytes = 0;
  const upload = async (path: string): Promise<void> => {
    const object = storage.readLocal(path);
    await storage.bucket.put(path, object, IMMUTABLE);
    bytes += object.length;
    progress.advance(1);
  };
  const directory = objectPath('directory', snapshot);
  progress.begin('upload', missing.length);
  try {
    await inParallel(
      missing.filter((path) => path !== directory),
      connections,
      upload,
    );
    if (missing.includes(directory)) await upload(directory);
    return { uploaded: missing.length, bytes, skipped };
  } finally {
    progress.end();
  }
}
