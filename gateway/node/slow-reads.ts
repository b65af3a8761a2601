/** After this time, the system may have dropped a file from its page cache. */
export const IN_PAGE_CACHE_MS = 600_000;

/** Other requests may wait this long for a file. A read from the system's page cache takes 0.01 ms. */
const SLOW_MS = 5;
/**
 * A leaky bucket: each slow read adds as much as this many quick ones remove. If it overflows, the thread pool reads everything for
 * a while. A few reads may be slow because the process was not scheduled.
 */
const SLOW_WEIGHT = 16;
const CAPACITY = 4 * SLOW_WEIGHT;
const PAUSE_MS = 10_000;

/**
 * Whether files may be read without the thread pool. Recently read files are assumed to be in memory. But the folder may be on a
 * network, and memory may run short. So after some slow reads, the thread pool reads everything for a while.
 */
export class SlowReads {
  /** A clock in milliseconds, above 0. */
  readonly now: () => number;
  #slowness = 0;
  #pausedUntil = -Infinity;

  constructor(now: () => number) {
    this.now = now;
  }

  mayReadNow(): boolean {
    return this.now() >= this.#pausedUntil;
  }

  /** A file was read without the thread pool. @param startedAt by the clock */
  addRead(startedAt: number): void {
    const now = this.now();
    if (now - startedAt < SLOW_MS) {
      if (this.#slowness > 0) this.#slowness -= 1;
      return;
    }
    this.#slowness += SLOW_WEIGHT;
    if (this.#slowness < CAPACITY) return;
    this.#slowness -= SLOW_WEIGHT; // After the pause, the next slow read begins another one.
    this.#pausedUntil = now + PAUSE_MS;
  }
}
