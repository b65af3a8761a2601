import type { Soon } from './soon.ts';

/**
 * Work that is under way, by key: it is done once, however many ask for it meanwhile. What comes of it is kept
 * elsewhere. A failure is everyone's who waits for it, and the next to ask begins anew.
 */
export class SingleFlight<Value> {
  readonly #underWay = new Map<string, Promise<Value>>();

  /** Joins the work of that key, or begins it. Work that takes no time is done, and joined by nobody. */
  run(key: string, work: () => Soon<Value>): Soon<Value> {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const begun = work();
    if (!(begun instanceof Promise)) return begun;
    const ending = begun.finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, ending);
    return ending;
  }
}
