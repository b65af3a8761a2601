/**
 * Conditional writes prevent publishes, rollbacks and prunes from undoing each other's work. A store that ignores
 * conditions answers 200 and loses updates, so the store is probed before the first write.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EndpointFailed } from '../../common/bucket/errors.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { StateFile } from '../../common/state-file.ts';
import { isRecord } from '../../contract/json.ts';
import type { Bucket, Condition } from './bucket.ts';
import { StoreWithoutConditions } from './errors.ts';

const CACHE_CONTROL = 'no-store';
const [FIRST, SECOND] = [Buffer.from('"first"'), Buffer.from('"second"')];
/** The ETag of no content. */
const WRONG_ETAG = `"${'0'.repeat(32)}"`;

/** When each bucket was probed, by endpoint and name. */
const PROBED = new StateFile('probed.json', isRecord, {});

/**
 * Probes a bucket once for each bucket and endpoint, and records it in `out/state/probed.json`, if there is an output.
 *
 * @param again also if it was probed before
 * @throws StoreWithoutConditions, BucketError
 */
export async function probeOnce(bucket: Bucket, out: string, again = false): Promise<void> {
  const { endpoint } = bucket.client.target;
  const id = `${endpoint} ${bucket.name}`;
  const probed = PROBED.read(out);
  if (!again && id in probed) return;
  await probe(bucket);
  if (!existsSync(join(out, 'state'))) return;
  try {
    PROBED.write(out, { ...probed, [id]: bucket.client.now.toISOString() });
  } catch (error) {
    if (!(error instanceof OutputUnwritable)) throw error; // Then the next command probes again.
  }
}

/**
 * Writes a file of its own, and tries to replace it with matching and failing conditions.
 *
 * @throws StoreWithoutConditions, BucketError
 */
async function probe(bucket: Bucket): Promise<void> {
  const path = `probe-${randomUUID()}.json`;
  const put = (bytes: Buffer, condition?: Condition) => bucket.put(path, bytes, CACHE_CONTROL, condition);
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
