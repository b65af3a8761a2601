import type { MaybePromise } from './maybe-promise.ts';

/**
 * Work in progress, by key: concurrent requests share it. Results are cached elsewhere. A failure reaches all who wait;
 * the next request starts again.
 */
export class SingleFlight<Value> {
  readonly #inFlight = new Map<string, Promise<Value>>();

  /** Joins the work of a key, or starts it. Synchronous work is not shared. */
  run(key: string, work: () => MaybePromise<Value>): MaybePromise<Value> {
    const inFlight = this.#inFlight.get(key);
    if (inFlight) return inFlight;
    const started = work();
    if (!(started instanceof Promise)) return started;
    const ending = started.finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, ending);
    return ending;
  }
}
