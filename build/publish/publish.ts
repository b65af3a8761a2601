/**
 * Output folder → bucket, over the S3 API. The way of a publish, from top to bottom:
 *
 *   pointer   bucket-pointer.ts    what the bucket serves, and under which condition it may be replaced
 *   missing   missing.ts           the objects that the bucket lacks
 *   upload    upload.ts            these, many at once, noted in a journal (journal.ts), the directory last
 *   switch    bucket-pointer.ts    the pointer, by a conditional write
 *   keys      bucket-keys.ts       the key records that differ
 *
 * Below it: bucket.ts (files), s3-client.ts (signed requests), retry.ts (when to try again).
 *
 * Whatever goes wrong, and whenever the process is killed, the bucket's pointer names a snapshot that is there
 * whole. Whoever is slower than another publisher, or a rollback, changes nothing that is served.
 */
import type { Pointer } from '../../contract/pointer.ts';
import { objectPath } from '../../contract/object-name.ts';
import { NothingPublished, SnapshotHeld } from '../errors.ts';
import { historyWithout, readPointer } from '../pointer-file.ts';
import type { BuildProgress } from '../progress.ts';
import { Bucket } from './bucket.ts';
import { type KeysReport, publishKeys } from './bucket-keys.ts';
import { readBucketPointer, replaceBucketPointer } from './bucket-pointer.ts';
import { PublishedMeanwhile } from './errors.ts';
import { UploadJournal } from './journal.ts';
import { findMissing } from './missing.ts';
import { uploadObjects } from './upload.ts';

export interface PublishOptions {
  /** The output folder. */
  readonly out: string;
  readonly bucket: Bucket;
  /** Files under way at once. */
  readonly connections: number;
  readonly progress: BuildProgress;
}

/** The answer of the command `publish`, and its `--json`. */
export interface PublishReport {
  readonly snapshot: string;
  readonly posts: number;
  /** Objects of the snapshot: put into the bucket, their bytes, and those that were there already. */
  readonly uploaded: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly keys: KeysReport;
  /** Requests that had to be sent again. */
  readonly retries: number;
  readonly seconds: number;
}

/**
 * Brings a bucket to the snapshot that is current in the output.
 *
 * @throws NothingPublished, SnapshotHeld, PublishError
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const started = performance.now();
  const { out, bucket } = options;
  const local = readPointer(out);
  if (!local) throw new NothingPublished(out);
  const uploaded = await publishSnapshot(options, local);
  return {
    snapshot: local.snapshot,
    posts: local.posts,
    ...uploaded,
    keys: await publishKeys(out, bucket),
    retries: bucket.client.retries,
    seconds: Math.round(performance.now() - started) / 1000,
  };
}

type Uploaded = Pick<PublishReport, 'uploaded' | 'bytes' | 'skipped'>;

async function publishSnapshot(
  { out, bucket, connections, progress }: PublishOptions,
  local: Pointer,
): Promise<Uploaded> {
  const read = await readBucketPointer(bucket);
  const current = read.published?.pointer;
  if (current?.held) throw new SnapshotHeld(current.snapshot, bucket.name);

  const { journal, uploaded: known } = UploadJournal.open(out, bucket.client.target, read.condition);
  try {
    const { objects, missing } = await findMissing(out, bucket, local.snapshot, current, known);
    let bytes = 0;
    const upload = (paths: readonly string[]) =>
      uploadObjects({ out, bucket, connections }, paths, progress, (path, size) => {
        journal.note(path);
        bytes += size;
      });
    const directory = objectPath('directory', local.snapshot);
    progress.begin('upload', missing.length);
    await upload(missing.filter((path) => path !== directory));
    await upload(missing.filter((path) => path === directory));
    progress.end();

    if (local.snapshot !== current?.snapshot) {
      const { snapshot, built_at, posts, built_by, format } = local;
      const previous = historyWithout(snapshot, current);
      const pointer = { format, snapshot, built_at, posts, built_by, held: false, previous };
      const prune = read.published?.prune ?? { number: 0, since: null };
      if (!(await replaceBucketPointer(bucket, read, { pointer, prune }))) {
        throw new PublishedMeanwhile(bucket.name);
      }
    }
    journal.remove();
    return { uploaded: missing.length, bytes, skipped: objects - missing.length };
  } finally {
    journal.close();
  }
}
