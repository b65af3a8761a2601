/**
 * Output folder → bucket, over the S3 API. The steps of a publish, from top to bottom:
 *
 *   pointer   bucket-pointer.ts    what the bucket serves, and its ETag, the condition for replacing it
 *   guard     guards.ts            another blog, fewer posts or lost limits: refused
 *   probe     probe.ts             once for each bucket: does the store support conditional writes?
 *   missing   missing.ts           the objects that the bucket lacks
 *   upload    upload.ts            these, in parallel, recorded in a journal (journal.ts); the directory last
 *   record    bucket-record.ts     what changed in the bucket, for copies of the blog
 *   packs     pack.ts              for a small blog, all objects but articles
 *             article-packs.ts     the articles, one page a file
 *   switch    bucket-pointer.ts    the pointer with what a cold gateway needs first, by a conditional write
 *   keys      bucket-keys.ts       the key records that differ
 *
 * Lower layers: bucket.ts (files), s3-client.ts (signed requests), retry.ts (back-off).
 *
 * After any failure, and if the process is killed at any time, the bucket's pointer names a complete snapshot. If
 * another publish or a rollback is faster, this publish changes nothing that is served.
 */
import type { Pointer } from '../../contract/pointer.ts';
import { objectPath } from '../../contract/object-name.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { ExplainedError } from '../../common/errors.ts';
import { SnapshotHeld } from '../errors.ts';
import { historyWithout, requirePointer } from '../output/pointer-file.ts';
import type { Progress } from '../../common/progress.ts';
import { uploadArticlePacks } from './article-packs.ts';
import { Bucket } from './bucket.ts';
import { publishKeys } from './bucket-keys.ts';
import type { PublishReport } from './publish-report.ts';
import {
  NEVER_PRUNED,
  type ReadPointer,
  readBucketPointer,
  replaceBucketPointer,
  servesTheSame,
} from './bucket-pointer.ts';
import { updateBucketChangeLog, withIntactRecord } from './bucket-record.ts';
import { ChangedMeanwhile } from './errors.ts';
import { guardBucket } from './guards.ts';
import { recordPublish } from './last-publish.ts';
import { UploadJournal } from './journal.ts';
import { findMissing, type Missing } from './missing.ts';
import { firstPack, uploadPack } from './pack.ts';
import { probeOnce } from './probe.ts';
import { endedMark, waitForPrune } from './prune-mark.ts';
import { uploadObjects } from './upload.ts';

export interface PublishOptions {
  /** The output folder. */
  readonly out: string;
  readonly bucket: Bucket;
  /** Parallel uploads. */
  readonly connections: number;
  /** Trust nothing: list the bucket, and repair missing objects and an invalid pointer. */
  readonly full: boolean;
  /** One post is withdrawn: publish also while a rollback is held, and hold this snapshot instead. */
  readonly withdrawing?: boolean;
  /** Publish even if another blog is served, more than half of the posts would go, or limits would be lost. */
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
  const { out, bucket } = options;
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
    recordPublish(out, bucket, { report });
    return report;
  } catch (error) {
    if (error instanceof ExplainedError) recordPublish(out, bucket, { error });
    throw error;
  }
}

type Uploaded = Pick<PublishReport, 'uploaded' | 'bytes' | 'skipped' | 'fewer'>;

const ATTEMPTS = 3;

const NO_BYTES = new Uint8Array();

async function publishSnapshot(options: PublishOptions, local: Pointer): Promise<Uploaded> {
  const { out, bucket, full, force = false, configured = true } = options;
  for (let attempt = 1; ; attempt++) {
    const read = await waitForPrune(bucket, full);
    const current = full ? await withIntactRecord(options.bucket, read) : read.published?.pointer;
    if (current?.held && !options.withdrawing)
      throw new SnapshotHeld(current.snapshot, `${bucket.name} --endpoint ${bucket.client.target.endpoint}`);
    const expected = current && { ...current, posts: current.posts - (options.withdrawing ? 1 : 0) };
    if (expected && !force) await guardBucket({ out, bucket, configured }, local, expected);
    await probeOnce(bucket, out, full);

    const { journal, uploaded: known } = UploadJournal.open(out, bucket.client.target, read.condition);
    try {
      const readable = current?.format === FORMAT ? current : undefined;
      const missing = await findMissing(options, local, readable, known);
      const uploaded = await uploadMissing(options, journal, local, missing);
      const changes = await updateBucketChangeLog(bucket, out, readable, local.snapshot);
      let pack = read.published?.pack ?? null;
      let isServed =
        local.snapshot === current?.snapshot && local.blog === current.blog && current.changes !== undefined;
      // After a rollback there is none.
      if (local.snapshot !== current?.snapshot || full || pack === null) {
        await uploadArticlePacks(options, local, readable, known, (path) => journal.note(path));
        await uploadPack(bucket, out, local);
        const made = await firstPack(out, local.snapshot);
        isServed &&= Buffer.compare(made ?? NO_BYTES, pack ?? NO_BYTES) === 0;
        pack = made;
      }
      if (isServed || (await switchTo(bucket, { ...local, changes }, current, read, pack))) {
        journal.remove();
        const fewer = (expected?.posts ?? 0) - local.posts;
        return fewer > 0 ? { ...uploaded, fewer } : uploaded;
      }
    } finally {
      journal.close();
    }
    // A prune may have started meanwhile and removed uploaded objects, so everything is checked again.
    const { published } = await readBucketPointer(bucket, full);
    if (attempt === ATTEMPTS || !servesTheSame(read.published, published)) {
      throw new ChangedMeanwhile(bucket.name);
    }
  }
}

/** The directory is uploaded last: a bucket that has it also has all objects that it names. */
async function uploadMissing(
  { out, bucket, connections, progress }: PublishOptions,
  journal: UploadJournal,
  { snapshot }: Pointer,
  { objects, missing }: Missing,
): Promise<Uploaded> {
  const there = objects - missing.length;
  if (missing.length === 0) return { uploaded: 0, bytes: 0, skipped: there };
  let bytes = 0;
  const upload = (paths: readonly string[]) =>
    uploadObjects({ out, bucket, connections }, paths, progress, (path, size) => {
      journal.note(path);
      bytes += size;
    });
  const directory = objectPath('directory', snapshot);
  progress.begin('upload', missing.length);
  try {
    await upload(missing.filter((path) => path !== directory));
    await upload(missing.filter((path) => path === directory));
  } finally {
    progress.end();
  }
  return { uploaded: missing.length, bytes, skipped: there };
}

/**
 * Switches the bucket's pointer. The bucket has its own history: the snapshots that it served, not those of the output.
 *
 * @param next with the bucket's record of changes
 * @param pack next to the pointer
 * @returns false: the pointer has changed since it was read
 */
function switchTo(
  bucket: Bucket,
  next: Pointer,
  current: Pointer | undefined,
  read: ReadPointer,
  pack: Uint8Array | null,
): Promise<boolean> {
  const pointer = { ...next, held: current?.held ?? false, previous: historyWithout(next.snapshot, current) };
  const prune = endedMark(read.published?.prune ?? NEVER_PRUNED);
  return replaceBucketPointer(bucket, read, { pointer, prune, pack });
}
