/**
 * Synchronises pruning and publishing, although a bucket has no locks and a process that seems dead may still run.
 *
 * - Before a prune removes anything, it increments the number in the pointer's mark by a conditional write. A publish
 * that
 *   read the pointer before fails, and checks again.
 * - While the mark shows a prune in progress, no upload starts.
 * - Deletions are signed with the time of the mark. The service refuses them 15 minutes later, so a paused prune or a
 *   delayed request does no harm after the mark has expired.
 *
 * So an object that is found in the bucket or uploaded to it stays there as long as the pointer does not change.
 */
import { randomUUID } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { type PruneMark, readBucketPointer, type ReadPointer, type RunningPrune } from './bucket-pointer.ts';
import { PruneRunning } from './errors.ts';

/** After this time a prune counts as dead: longer than the service accepts its signed requests. */
const MARK_EXPIRES_MS = 20 * 60_000;

/** How long a publish waits for a prune to end, and how often it checks. */
const MAX_WAIT_MS = 60_000;
const INTERVAL_MS = 2_000;

/** The mark after a prune. */
export function endedMark({ number }: PruneMark): PruneMark {
  return { number, running: null };
}

/** The mark at the start of a prune. */
export function begunMark({ number }: PruneMark, now: Date): PruneMark & { readonly running: RunningPrune } {
  return { number: number + 1, running: { since: now.toISOString(), by: randomUUID() } };
}

/** Start time of the prune in progress; undefined: none, or it died. */
export function runningSince({ published, date }: ReadPointer): string | undefined {
  const since = published?.prune.running?.since;
  if (since === undefined || date.getTime() - Date.parse(since) >= MARK_EXPIRES_MS) return undefined;
  return since;
}

/**
 * Waits until no prune is in progress, and reads the pointer.
 *
 * @param ignoreInvalid see readBucketPointer
 * @throws PruneRunning if one is still running after a minute, BucketError
 */
export async function waitForPrune(bucket: Bucket, ignoreInvalid: boolean): Promise<ReadPointer> {
  for (let waited = 0; ; waited += INTERVAL_MS) {
    const read = await readBucketPointer(bucket, ignoreInvalid);
    const since = runningSince(read);
    if (since === undefined) return read;
    if (waited >= MAX_WAIT_MS) throw new PruneRunning(bucket.name, since);
    await bucket.client.sleep(INTERVAL_MS);
  }
}
