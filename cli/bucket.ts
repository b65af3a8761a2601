import { Bucket } from '../build/publish/bucket.ts';
import { type Credentials, readCredentials } from '../build/publish/credentials.ts';
import { BucketAddressInvalid } from '../build/publish/errors.ts';
import { DEFAULT_CONNECTIONS, parseTarget, type Target } from '../build/publish/target.ts';
import { WrongUsage } from './failure.ts';

/** Options that say which bucket is meant. */
export interface BucketFlags {
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly connections?: number;
}

/**
 * Opens a bucket, with the credentials of the environment, for as long as `work` takes.
 *
 * @throws WrongUsage, CredentialsMissing, and what `work` throws
 */
export async function withBucket<T>(
  { connections = DEFAULT_CONNECTIONS, ...flags }: BucketFlags,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  // Only here: undici takes a tenth of a second to load, and most commands are given no bucket.
  const { S3Client } = await import('../build/publish/s3-client.ts');
  const client = new S3Client(targetOf(flags), credentials(), { connections });
  try {
    return await work(new Bucket(client));
  } finally {
    await client.close();
  }
}

/**
 * Looks whether a bucket, where one is named, could be opened at all: before anything is done that the bucket
 * shall be told of.
 *
 * @throws WrongUsage, CredentialsMissing
 */
export function checkBucket({
  to,
  endpoint,
}: {
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
}): void {
  if (to === undefined) return;
  targetOf({ to, endpoint });
  credentials();
}

function targetOf({ to, endpoint }: BucketFlags): Target {
  if (endpoint === undefined) {
    throw new WrongUsage(
      '--to needs --endpoint, or AWS_ENDPOINT_URL: https://ACCOUNT.r2.cloudflarestorage.com',
    );
  }
  try {
    return parseTarget(to, endpoint);
  } catch (error) {
    throw error instanceof BucketAddressInvalid ? new WrongUsage(error.message) : error;
  }
}

function credentials(): Credentials {
  return readCredentials({
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN: process.env.AWS_SESSION_TOKEN,
    AWS_REGION: process.env.AWS_REGION,
  });
}
