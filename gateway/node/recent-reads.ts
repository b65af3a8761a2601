import type { ObjectHash } from '../../contract/object-name.ts';

/** Objects are remembered for one to two of these periods, or until as many others were read. */
const PERIOD_MS = 60_000;
const PERIOD_OBJECTS = 32_768;

/** Other requests may wait this long for a file. A read from the system's page cache takes 0.02 ms. */
const SLOW_MS = 5;
const DISTRUST_MS = 2_000;
/** A slow read alone may be one during which the process was not running. */
const SLOW_AGAIN = 64;

/**
 * Which objects were read lately, and so are in the system's page cache: they can be read without the thread pool.
 *
 * That is an assumption: the folder may be on a network, and memory may become short. So one of these objects must have been
 * read quickly before, and again, some seconds later, after two slow ones within 64.
 */
export class RecentReads {
  readonly #now: () => number;
  #latest = new Set<ObjectHash>();
  #earlier = new Set<ObjectHash>();
  #periodStart: number;
  #isTrusted = false;
  #distrustedUntil = -Infinity;
  #quickReads = 0;

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#periodStart = now();
  }

  /** Whether the thread pool can be avoided. */
  has(hash: ObjectHash): boolean {
    return this.#isTrusted && this.#isRecent(hash, this.#now());
  }

  /**
   * An object was read.
   *
   * @param startedAt by the clock
   * @param byPool with the time in the thread pool's queue, so that only a quick read tells something
   */
  add(hash: ObjectHash, startedAt: number, byPool: boolean): void {
    const now = this.#now();
    if (this.#isRecent(hash, now)) {
      if (now - startedAt < SLOW_MS) {
        this.#quickReads += 1;
        if (now >= this.#distrustedUntil) this.#isTrusted = true;
      } else if (!byPool) {
        if (this.#quickReads < SLOW_AGAIN) {
          this.#isTrusted = false;
          this.#distrustedUntil = now + DISTRUST_MS;
        }
        this.#quickReads = 0;
      }
    }
    this.#latest.add(hash);
  }

  #isRecent(hash: ObjectHash, now: number): boolean {
    const elapsed = now - this.#periodStart;
    if (elapsed > PERIOD_MS || this.#latest.size >= PERIOD_OBJECTS) {
      this.#earlier = elapsed > 2 * PERIOD_MS ? new Set() : this.#latest;
      this.#latest = new Set();
      this.#periodStart = now;
    }
    return this.#latest.has(hash) || this.#earlier.has(hash);
  }
}
