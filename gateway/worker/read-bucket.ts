import type { R2Bucket, R2ObjectBody } from '@cloudflare/workers-types';
import { withDeadline } from '../fetch/deadline.ts';
import { twice } from '../fetch/retry.ts';
import { toTheEnd } from './to-the-end.ts';

/** How long a read may take, for each of two tries. All who wait for the same object then get an error, and nobody else. */
const READ_MS = 5000;

/** R2 did not give an object in time. */
class ReadTookTooLong extends Error {
  override name = 'ReadTookTooLong';
  constructor(key: string) {
    super(`R2 did not give ${key} within ${READ_MS / 1000} seconds.`);
  }
}

/**
 * Reads an object of the bucket with its body; null where there is none. It is read to its end although the request that
 * asked first may be gone: others may wait for it.
 *
 * @param body takes what is wanted of it
 * @throws what R2 throws twice, or ReadTookTooLong
 */
export function readFromBucket<T>(
  bucket: R2Bucket,
  key: string,
  body: (object: R2ObjectBody) => Promise<T>,
): Promise<T | null> {
  const read = async () => {
    const object = await bucket.get(key);
    return object && body(object);
  };
  return toTheEnd(twice(() => withDeadline(READ_MS, read, () => new ReadTookTooLong(key))));
}
