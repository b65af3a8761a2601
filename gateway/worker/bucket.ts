import type { R2Bucket } from '@cloudflare/workers-types';
import { DeadlineExceeded, withDeadline } from '../deadline.ts';
import { retryOnce } from '../fetch/retry-once.ts';

/** The deadline of a read, for each of two attempts. Only requests waiting for this object fail. */
const READ_MS = 5000;

/** A file, and the ETag of these bytes. */
export interface TaggedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/**
 * Reads a published file.
 *
 * @param known an ETag: `unchanged` if the file still has it
 * @returns null: there is no such file
 * @throws R2's error after a retry, or DeadlineExceeded
 */
export function readTagged(
  bucket: R2Bucket,
  key: string,
  known?: string,
): Promise<TaggedFile | 'unchanged' | null> {
  const read = async () => {
    const object = await bucket.get(key, known ? { onlyIf: { etagDoesNotMatch: known } } : {});
    if (object === null) return null;
    // R2 returns the object without its body if the condition fails.
    if (!('body' in object)) return 'unchanged';
    return { bytes: new Uint8Array(await object.arrayBuffer()), etag: object.etag };
  };
  const late = () => new DeadlineExceeded(`R2 did not return ${key} within ${READ_MS / 1000} seconds.`);
  return retryOnce(() => withDeadline(READ_MS, read(), late));
}
