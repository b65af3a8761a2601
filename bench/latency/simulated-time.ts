/** Much longer than the Worker's own work between two calls, and its pauses when requests share work. */
const PAUSE_MS = 20;

interface Waiting {
  readonly until: number;
  readonly end: () => Promise<void>;
}

/**
 * A clock for calls of a given duration: it stands still while the Worker computes, and then jumps to the end of the next
 * call. So the same calls take the same time on every machine.
 */
export class SimulatedTime {
  now = 0;
  #waiting: Waiting[] = [];
  #isRunning = false;

  /** Whether no call is in progress. */
  get isIdle(): boolean {
    return !this.#isRunning;
  }

  /** The result of a call after its duration. @param work begins at once, and takes no time */
  during<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const result = work();
    result.catch(() => undefined);
    return new Promise((resolve) => {
      const end = () => {
        resolve(result);
        return result.then(
          () => undefined,
          () => undefined,
        );
      };
      this.#waiting.push({ until: this.now + ms, end });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      this.now = Math.min(...this.#waiting.map(({ until }) => until));
      const ending = this.#waiting.filter(({ until }) => until === this.now);
      this.#waiting = this.#waiting.filter(({ until }) => until !== this.now);
      await Promise.all(ending.map(({ end }) => end()));
    }
    this.#isRunning = false;
  }
}
