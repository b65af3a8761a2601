import type { CurrentSnapshot } from '../snapshot/current.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { retryOnce } from './retry-once.ts';

/** How long an isolate caches the pointer: a publish is visible after this time at most. */
export const FRESH_MS = 5000;

/**
 * The current snapshot. The pointer is read at most once in 5 seconds, and only on request: a Worker has no timers between
 * requests, so the first request after a pause waits for it.
 */
export class FreshSnapshot {
  readonly #current: CurrentSnapshot;
  readonly #failed: (error: unknown) => void;
  readonly #readAt: () => number;
  #freshSince = -Infinity;
  #refreshing: { readonly isFresh: boolean; readonly snapshot: Promise<Snapshot> } | undefined;

  /**
   * @param failed receives the error if the pointer could not be followed and an earlier snapshot is still served
   * @param readAt when the last followed pointer was read, in ms since 1970
   */
  constructor(current: CurrentSnapshot, failed: (error: unknown) => void, readAt: () => number) {
    this.#current = current;
    this.#failed = failed;
    this.#readAt = readAt;
  }

  /** @throws the errors of CurrentSnapshot.refresh, if no earlier snapshot is known */
  get(): MaybePromise<Snapshot> {
    const known = this.#current.get();
    if (known && this.freshMs() > 0) return known;
    return this.#refreshing?.snapshot ?? this.#refresh(Date.now() - FRESH_MS);
  }

  /** How long the last known snapshot may be served before the pointer is read again. */
  freshMs(): number {
    return Math.max(0, this.#freshSince + FRESH_MS - Date.now());
  }

  /** Reads the pointer now, or joins a read in progress. Throws like `get`. */
  refresh(): Promise<Snapshot> {
    return this.#refreshing?.isFresh ? this.#refreshing.snapshot : this.#refresh();
  }

  #refresh(since?: number): Promise<Snapshot> {
    const snapshot = this.#follow(since).finally(() => {
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
    });
    const refreshing = (this.#refreshing = { isFresh: since === undefined, snapshot });
    return snapshot;
  }

  async #follow(since?: number): Promise<Snapshot> {
    const startedAt = Date.now();
    try {
      // If the pointer names a missing snapshot, it was replaced meanwhile, or the bucket is broken.
      let tries = 0;
      const snapshot = await retryOnce(
        () => this.#current.refresh(tries++ === 0 ? since : undefined),
        (error) => error instanceof ObjectMissing,
      );
      this.#freshSince = this.#readAt();
      return snapshot;
    } catch (error) {
      this.#freshSince = startedAt;
      const known = this.#current.get();
      if (!known) throw error;
      this.#failed(error);
      return known;
    }
  }
}
