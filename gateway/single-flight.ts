import type { MaybePromise } from './maybe-promise.ts';

/**
 * Work in progress, by key: concurrent requests share it. Results are cached elsewhere. A failure reaches all who wait;
 * the next request starts again.
 */
export class SingleFlight<Value> {
  readonly #underWay = new Map<string, Promise<Value>>();

  /** Joins the work of a key, or starts it. Synchronous work is not shared. */
  run(key: string, work: () => MaybePromise<Value>): MaybePromise<Value> {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const begun = work();
    if (!(begun instanceof Promise)) return begun;
    const ending = begun.finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, ending);
    return ending;
  }
}
