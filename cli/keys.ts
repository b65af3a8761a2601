import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { readingFrom } from '../data/database.ts';
import { type BucketFlags, SERVING, withBucket } from './bucket.ts';

/**
 * Publishes some keys from the output to a bucket at once.
 *
 * @param prefixes the changed keys
 * @throws WrongUsage, DatabaseError, BucketError
 */
export async function putKeys(
  { db: path, out, ...bucket }: { readonly db: string; readonly out: string } & BucketFlags,
  prefixes: readonly string[],
): Promise<void> {
  const keys = readingFrom(path, storedKeys);
  const hashes = keys.flatMap(({ sha256, record }) => (prefixes.includes(record.prefix) ? sha256 : []));
  await withBucket(bucket, out, (storage) => putKeyRecords(storage, hashes), SERVING);
}
