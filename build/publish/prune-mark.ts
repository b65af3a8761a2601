/**
 * How pruning and publishing keep out of each other's way, although a bucket knows no locks and no process
 * that seems dead surely is.
 *
 * - Before a prune removes anything it raises the number in the pointer's mark, by a conditional write. Whoever
 *   read the pointer before, and would publish because of it, fails and checks again.
 * - While the mark says that a prune is running, no upload starts.
 * - Removals are signed with the time of the mark. The service refuses them 15 minutes later, so a prune that
 *   was paused, or a request that was held up, can do no harm once the mark has expired.
 *
 * So an object that is found in the bucket, or put there, is there for as long as the pointer stays as it is.
 */
import { randomUUID } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { type PruneMark, readBucketPointer, type ReadPointer, type RunningPrune } from './bucket-pointer.ts';
import { PruneRunning } from './errors.ts';

/** After so long a prune counts as dead: longer than the service takes a signed request. */
const MARK_EXPIRES_MS = 20 * 60_000;

/** A publish waits so long for a prune to end, and looks so often. */
const PATIENCE_MS = 60_000;
const INTERVAL_MS = 2_000;

/** The mark once no prune is under way. */
export function ended({ number }: PruneMark): PruneMark {
  return { number, running: null };
}

/** The mark of a prune that begins. */
export function begun({ number }: PruneMark, now: Date): PruneMark & { readonly running: RunningPrune } {
  return { number: number + 1, running: { since: now.toISOString(), by: randomUUID() } };
}

/** When the prune that is under way began; undefined: none is, or it died. */
export function runningSince({ published, date }: ReadPointer): string | undefined {
  const since = published?.prune.running?.since;
  if (since === undefined || date.getTime() - Date.parse(since) >= MARK_EXPIRES_MS) return undefined;
  return since;
}

/**
 * The pointer, once no prune is under way.
 *
 * @param orNone as of readBucketPointer
 * @throws PruneRunning if one is still running after a minute, PublishError
 */
export async function untilNotPruned(bucket: Bucket, orNone: boolean): Promise<ReadPointer> {
  for (let waited = 0; ; waited += INTERVAL_MS) {
    const read = await readBucketPointer(bucket, orNone);
    const since = runningSince(read);
    if (since === undefined) return read;
    if (waited >= PATIENCE_MS) throw new PruneRunning(bucket.name, since);
    await bucket.client.sleep(INTERVAL_MS);
  }
}
