import type { CurrentSnapshot } from '../snapshot/current.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Soon } from '../soon.ts';
import { twice } from './retry.ts';

/** How often an isolate reads the pointer, at most: so much later is a publish seen. */
const LOOK_MS = 5000;

/**
 * The snapshot that the pointer names, which is read at most once in 5 seconds. Nothing looks at it while
 * there are no requests: a Worker has no time of its own, so the request that comes after waits for it.
 */
export class LatestSnapshot {
  readonly #current: CurrentSnapshot;
  readonly #failed: (error: unknown) => void;
  #lookedAt = -Infinity;
  #looking: Promise<Snapshot> | undefined;

  /** @param failed is told why the pointer could not be followed, where an earlier snapshot is served on */
  constructor(current: CurrentSnapshot, failed: (error: unknown) => void) {
    this.#current = current;
    this.#failed = failed;
  }

  /** The one known last, however old; undefined before the first. */
  known(): Snapshot | undefined {
    return this.#current.get();
  }

  /** @throws what CurrentSnapshot.refresh throws, where there is no earlier snapshot either */
  get(): Soon<Snapshot> {
    const known = this.#current.get();
    if (known && Date.now() < this.#lookedAt + LOOK_MS) return known;
    return this.look();
  }

  /** Looks now, unless someone does already. Likewise. */
  look(): Promise<Snapshot> {
    this.#looking ??= this.#follow().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #follow(): Promise<Snapshot> {
    const startedAt = Date.now();
    try {
      // A pointer that names a missing snapshot was replaced in the meantime, or the bucket is broken.
      return await twice(
        () => this.#current.refresh(),
        (error) => error instanceof ObjectMissing,
      );
    } catch (error) {
      const known = this.#current.get();
      if (!known) throw error;
      this.#failed(error);
      return known;
    } finally {
      this.#lookedAt = startedAt;
    }
  }
}
