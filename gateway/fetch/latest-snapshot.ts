import type { CurrentSnapshot } from '../snapshot/current.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Soon } from '../soon.ts';
import { twice } from './retry.ts';

/** How old what an isolate knows of the pointer is, at most: so much later is a publish seen. */
export const LOOK_MS = 5000;

/**
 * The snapshot that the pointer names, which is read at most once in 5 seconds. Nothing looks at it while
 * there are no requests: a Worker has no time of its own, so the request that comes after waits for it.
 */
export class LatestSnapshot {
  readonly #current: CurrentSnapshot;
  readonly #failed: (error: unknown) => void;
  readonly #readAt: () => number;
  #lookedAt = -Infinity;
  #looking: { readonly isFresh: boolean; readonly snapshot: Promise<Snapshot> } | undefined;

  /**
   * @param failed is told why the pointer could not be followed, where an earlier snapshot is served on
   * @param readAt when the pointer that was followed last was read, in ms since 1970
   */
  constructor(current: CurrentSnapshot, failed: (error: unknown) => void, readAt: () => number) {
    this.#current = current;
    this.#failed = failed;
    this.#readAt = readAt;
  }

  /** @throws what CurrentSnapshot.refresh throws, where there is no earlier snapshot either */
  get(): Soon<Snapshot> {
    const known = this.#current.get();
    if (known && this.freshMs() > 0) return known;
    return this.#looking?.snapshot ?? this.#look(Date.now() - LOOK_MS);
  }

  /** For how long the one known last may be served without a look. */
  freshMs(): number {
    return Math.max(0, this.#lookedAt + LOOK_MS - Date.now());
  }

  /** Looks now, unless someone does already. Likewise. */
  look(): Promise<Snapshot> {
    return this.#looking?.isFresh ? this.#looking.snapshot : this.#look();
  }

  #look(since?: number): Promise<Snapshot> {
    const snapshot = this.#follow(since).finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    const looking = (this.#looking = { isFresh: since === undefined, snapshot });
    return snapshot;
  }

  async #follow(since?: number): Promise<Snapshot> {
    const startedAt = Date.now();
    try {
      // A pointer that names a missing snapshot was replaced in the meantime, or the bucket is broken.
      let tries = 0;
      const snapshot = await twice(
        () => this.#current.refresh(tries++ === 0 ? since : undefined),
        (error) => error instanceof ObjectMissing,
      );
      this.#lookedAt = this.#readAt();
      return snapshot;
    } catch (error) {
      this.#lookedAt = startedAt;
      const known = this.#current.get();
      if (!known) throw error;
      this.#failed(error);
      return known;
    }
  }
}
