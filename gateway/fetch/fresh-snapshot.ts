import type { CurrentSnapshot } from '../snapshot/current.ts';
import { newestSnapshot } from '../snapshot/newest.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { SingleFlight } from '../single-flight.ts';
import { retryOnce } from './retry-once.ts';

/** How long an isolate caches the pointer: a publish is visible after this time at most. */
export const FRESH_MS = 5000;

/**
 * The current snapshot, for a home without timers between requests: reads the pointer at most once in 5 seconds, and only on
 * request, so the first request after a pause waits for it.
 *
 * @param failed receives the error if the pointer could not be followed and an earlier snapshot is still served
 * @param readAt when the last followed pointer was read, in ms since 1970
 */
export function freshSnapshot(
  current: CurrentSnapshot,
  failed: (error: unknown) => void,
  readAt: () => number,
) {
  const { sharing } = current.objects;
  const reading = new SingleFlight<Snapshot>(sharing);
  let freshSince = -Infinity;

  /** Not if the clock was set back. */
  const isFresh = () => {
    const age = Date.now() - freshSince;
    return age >= 0 && age < FRESH_MS;
  };

  async function follow(since?: number): Promise<Snapshot> {
    // If the pointer names a missing snapshot, it was replaced meanwhile, or the bucket is broken.
    let tries = 0;
    const snapshot = await retryOnce(
      () => current.refresh(tries++ === 0 ? since : undefined),
      (error) => error instanceof ObjectMissing,
    );
    freshSince = readAt();
    return snapshot;
  }

  async function followOrKeep(): Promise<Snapshot> {
    const startedAt = Date.now();
    try {
      return await follow(startedAt - FRESH_MS);
    } catch (error) {
      freshSince = startedAt;
      const known = current.get();
      if (!known) throw error;
      failed(error);
      return known;
    }
  }

  return {
    /** @throws the errors of CurrentSnapshot.refresh, if no earlier snapshot is known */
    get(): MaybePromise<Snapshot> {
      const known = current.get();
      if (known && isFresh()) return known;
      return reading.run('', followOrKeep);
    },
    /** Reads the pointer now, at most once a second. @throws the errors of CurrentSnapshot.refresh */
    newest: newestSnapshot(follow, { now: () => Date.now(), wait }, sharing),
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
