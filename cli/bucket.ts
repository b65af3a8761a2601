import { join } from 'node:path';
import type { BucketStorage } from '../build/publish/bucket-storage.ts';
import { readCredentials } from '../common/bucket/credentials.ts';
import { BucketAddressInvalid } from '../common/bucket/errors.ts';
import { type BucketTarget, DEFAULT_CONNECTIONS, parseTarget } from '../common/bucket/target.ts';
import type { Transport } from '../common/bucket/s3-client.ts';
import type { S3Bucket } from '../gateway/node/s3-bucket.ts';
import { WrongUsage } from './failure.ts';

/** Options that select a bucket. */
export interface BucketFlags {
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly connections?: number;
}

/**
 * Opens a bucket for `work`, with credentials from the environment.
 *
 * @param out the output folder, which may have copies of the bucket's objects
 * @param patience timeouts and retries; default: those of a publish
 * @throws WrongUsage, CredentialsMissing, and errors of `work`
 */
export async function withBucket<T>(
  { connections = DEFAULT_CONNECTIONS, ...flags }: BucketFlags,
  out: string,
  work: (storage: BucketStorage) => Promise<T>,
  patience: Partial<Transport> = {},
): Promise<T> {
  // Loaded on demand: undici takes 0.1 s, and most commands use no bucket.
  const [{ S3Client }, { Bucket }, { BucketStorage }] = await Promise.all([
    import('../common/bucket/s3-client.ts'),
    import('../build/publish/bucket.ts'),
    import('../build/publish/bucket-storage.ts'),
  ]);
  const client = new S3Client(parseBucket(flags), readCredentials(), { ...patience, connections });
  try {
    return await work(new BucketStorage(new Bucket(client), out));
  } finally {
    await client.close();
  }
}

/** Requests, and changes of keys, wait for these, so they fail sooner than those of a publish. */
export const SERVING = { timeoutMs: 3000, retry: { tries: 2, baseMs: 100, capMs: 1000 } };

/** For look-ups of keys: anyone can make up keys, and these must not hold up articles and the pointer. */
const KEY_CONNECTIONS = 8;

/** A withdrawal has more buckets to clean, and reports those that it cannot reach. */
export const WITHDRAWING = { timeoutMs: 10_000, retry: { tries: 3, baseMs: 250, capMs: 2000 } };

/**
 * Opens a bucket to serve from.
 *
 * @param from as `to`
 * @param out has a folder for copies of its files
 * @param cacheBytes their size at most
 * @throws WrongUsage, CredentialsMissing, CacheIsLink
 */
export async function openServedBucket(
  { from, endpoint }: { readonly from: string; readonly endpoint?: string | undefined },
  out: string,
  cacheBytes: number,
): Promise<S3Bucket> {
  const target = parseBucket({ to: from, endpoint }, '--from');
  const signed = readCredentials();
  const [{ S3Client }, home, { FileCache }] = await Promise.all([
    import('../common/bucket/s3-client.ts'),
    import('../gateway/node/s3-bucket.ts'),
    import('../gateway/node/file-cache.ts'),
  ]);
  const cache = new FileCache(join(out, 'cache', 'offprint'), cacheBytes);
  const clientWith = (connections: number) => new S3Client(target, signed, { ...SERVING, connections });
  return new home.S3Bucket(clientWith(DEFAULT_CONNECTIONS), clientWith(KEY_CONNECTIONS), cache);
}

/**
 * Checks the bucket option, if given, and its credentials in advance, before changes that are then published to the
 * bucket.
 *
 * @throws WrongUsage, CredentialsMissing
 */
export function checkBucket({
  to,
  endpoint,
}: { readonly [name in 'to' | 'endpoint']?: string | undefined }): void {
  if (to === undefined) return;
  parseBucket({ to, endpoint });
  readCredentials();
}

function parseBucket({ to, endpoint }: BucketFlags, option = '--to'): BucketTarget {
  if (endpoint === undefined) {
    throw new WrongUsage(
      `${option} needs --endpoint, or AWS_ENDPOINT_URL: https://ACCOUNT.r2.cloudflarestorage.com`,
    );
  }
  try {
    return parseTarget(to, endpoint);
  } catch (error) {
    throw error instanceof BucketAddressInvalid ? new WrongUsage(error.message) : error;
  }
}
