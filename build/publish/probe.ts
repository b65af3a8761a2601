/**
 * Conditional writes prevent publishes, rollbacks and prunes from undoing each other's work. A store that ignores
 * conditions answers 200 and loses updates, so the store is probed before the first publish to a bucket.
 */
import { randomUUID } from 'node:crypto';
import { EndpointFailed } from '../../common/bucket/errors.ts';
import type { Bucket, Condition } from './bucket.ts';
import { StoreWithoutConditions } from './errors.ts';

const PROBE_CACHE_CONTROL = 'no-store';
const [FIRST, SECOND] = [Buffer.from('"first"'), Buffer.from('"second"')];
/** The ETag of no content. */
const WRONG_ETAG = `"${'0'.repeat(32)}"`;

/**
 * Writes a file of its own, and tries to replace it with matching and failing conditions.
 *
 * @throws StoreWithoutConditions, BucketError
 */
export async function probe(bucket: Bucket): Promise<void> {
  const path = `probe-${randomUUID()}.json`;
  const put = (bytes: Buffer, condition?: Condition) =>
    bucket.put(path, bytes, PROBE_CACHE_CONTROL, condition);
  const holds = async (bytes: Buffer) => (await bucket.get(path)).file?.bytes.equals(bytes) ?? false;
  const refuse = (detail: string) => {
    throw new StoreWithoutConditions(bucket.name, bucket.client.target.endpoint, detail);
  };
  try {
    const etag = (await put(FIRST)) ?? '';
    if ((await put(SECOND, null)) !== undefined) refuse('it ignores If-None-Match');
    if ((await put(SECOND, WRONG_ETAG)) !== undefined) refuse('it ignores If-Match');
    if (!(await holds(FIRST))) refuse('it refuses a write, but carries it out');
    // If an answer is lost, the retry finds what the first request wrote.
    const isReplaced = (await put(SECOND, etag)) !== undefined || (await holds(SECOND));
    if (!isReplaced) refuse('it refuses an If-Match that matches');
  } catch (error) {
    if (error instanceof EndpointFailed && error.status === 501) refuse('it answers conditions with 501');
    throw error;
  } finally {
    await bucket.remove(path).catch(() => undefined); // A small file left in the bucket does no harm.
  }
}
