import type { Bucket } from '../build/publish/bucket.ts';
import { type Credentials, readCredentials } from '../common/bucket/credentials.ts';
import { BucketAddressInvalid } from '../common/bucket/errors.ts';
import { DEFAULT_CONNECTIONS, parseTarget, type Target } from '../common/bucket/target.ts';
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
 * @throws WrongUsage, CredentialsMissing, and errors of `work`
 */
export async function withBucket<T>(
  { connections = DEFAULT_CONNECTIONS, ...flags }: BucketFlags,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  // Loaded on demand: undici takes 0.1 s, and most commands use no bucket.
  const [{ S3Client }, publishing] = await Promise.all([
    import('../common/bucket/s3-client.ts'),
    import('../build/publish/bucket.ts'),
  ]);
  const client = new S3Client(targetOf(flags), credentials(), { connections });
  try {
    return await work(new publishing.Bucket(client));
  } finally {
    await client.close();
  }
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
