import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPath } from '../../contract/key-record.ts';
import { type Bucket, type BucketFile, type Condition, MAX_DELETED_PER_REQUEST } from './bucket.ts';
import type { BucketStorage } from './bucket-storage.ts';
import { inParallel, splitBatches } from '../snapshot/parallel.ts';
import type { PublishOptions } from './publish.ts';

/** Only the gateway may cache key records, because it knows for how long. */
const KEY_CACHE_CONTROL = 'private, no-store';

/** The paths of keyPath; other files are ignored. */
const KEY_PATH = /^keys\/[0-9a-f]{64}\.json$/;

/** Changes of key records in a bucket. */
export interface KeysReport {
  readonly put: number;
  readonly removed: number;
}

/**
 * Synchronises the key records of a bucket with those of the output. One listing shows the differences, because the
 * ETag of a small file is the MD5 of its content.
 *
 * An output without any keys removes none: its keys are probably managed elsewhere.
 *
 * A record that a command changes meanwhile (putKeyRecords) stays: each write requires that the record is as it was listed, and
 * the bucket is listed before the output is read.
 *
 * @throws BucketError
 */
export async function publishKeys({
  storage: { bucket, out },
  connections,
}: Pick<PublishOptions, 'storage' | 'connections'>): Promise<KeysReport> {
  let put = 0;
  const listed = await listKeys(bucket);
  const records = readRecordFiles(out);
  await inParallel(records, connections, async ([path, bytes]) => {
    const known = listed.get(path)?.etag ?? null;
    if (known !== computeEtag(bytes) && (await putRecord(bucket, path, bytes, known))) put += 1;
  });
  const gone = records.size === 0 ? [] : [...listed.keys()].filter((path) => !records.has(path));
  for (const batch of splitBatches(gone, MAX_DELETED_PER_REQUEST)) await bucket.delete(batch);
  return { put, removed: gone.length };
}

/**
 * Uploads the records of some keys, and overwrites existing ones.
 *
 * @param hashes the SHA-256 of each key
 * @throws BucketError
 */
export async function putKeyRecords(
  { bucket, out }: BucketStorage,
  hashes: readonly string[],
): Promise<void> {
  for (const sha256 of hashes) {
    const path = keyPath(sha256);
    await putRecord(bucket, path, readFileSync(join(out, path)));
  }
}

async function putRecord(
  bucket: Bucket,
  path: string,
  bytes: Buffer,
  condition?: Condition,
): Promise<boolean> {
  return (await bucket.put(path, bytes, KEY_CACHE_CONTROL, condition)) !== undefined;
}

function computeEtag(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

async function listKeys(bucket: Bucket): Promise<Map<string, BucketFile>> {
  const files = new Map<string, BucketFile>();
  for await (const file of bucket.list('keys/')) if (KEY_PATH.test(file.path)) files.set(file.path, file);
  return files;
}

/** The records of the output, by their paths in it. */
function readRecordFiles(out: string): Map<string, Buffer> {
  const folder = join(out, 'keys');
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile()) // No links, which may lead anywhere.
    .map(({ name }) => `keys/${name}`)
    .filter((path) => KEY_PATH.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(out, path))]));
}
