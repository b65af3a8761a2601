import type { MaybePromise } from './maybe-promise.ts';

/**
 * How requests share work at a platform where a promise belongs to the request that made it: there, nothing may wait for a
 * promise of another request.
 */
export interface Sharing {
  /** Keeps work going until it is settled, whatever happens to the request that started it. */
  keep(work: Promise<unknown>): void;
  /** Waits for work of another request. Gives up after a moment: the platform may have ended it. */
  wait(isOver: () => boolean): Promise<void>;
}

interface Flight<Value> {
  readonly work: Promise<Value>;
  outcome?: PromiseSettledResult<Value>;
}

/**
 * Work in progress, by key: concurrent requests share it. Results are cached elsewhere. A failure reaches all who wait;
 * the next request starts again.
 */
export class SingleFlight<Value> {
  readonly #sharing: Sharing | undefined;
  readonly #inFlight = new Map<string, Flight<Value>>();

  /** @param sharing undefined: requests wait for the same promise */
  constructor(sharing?: Sharing) {
    this.#sharing = sharing;
  }

  /** Joins the work of a key, or starts it. Synchronous work is not shared. */
  run(key: string, work: () => MaybePromise<Value>): MaybePromise<Value> {
    const known = this.#inFlight.get(key);
    if (known) return this.#sharing ? this.#join(this.#sharing, key, known, work) : known.work;
    const started = work();
    if (!(started instanceof Promise)) return started;
    const flight: Flight<Value> = { work: started };
    this.#inFlight.set(key, flight);
    const end = (outcome: PromiseSettledResult<Value>): void => {
      flight.outcome = outcome;
      this.#remove(key, flight);
    };
    started.then(
      (value) => end({ status: 'fulfilled', value }),
      (reason: unknown) => end({ status: 'rejected', reason }),
    );
    this.#sharing?.keep(started);
    return started;
  }

  async #join(
    sharing: Sharing,
    key: string,
    flight: Flight<Value>,
    work: () => MaybePromise<Value>,
  ): Promise<Value> {
    await sharing.wait(() => flight.outcome !== undefined);
    const { outcome } = flight;
    if (outcome?.status === 'fulfilled') return outcome.value;
    if (outcome) throw outcome.reason;
    this.#remove(key, flight);
    return this.run(key, work);
  }

  #remove(key: string, flight: Flight<Value>): void {
    if (this.#inFlight.get(key) === flight) this.#inFlight.delete(key);
  }
}

/** A value that is made once for all requests. After a failure, the next request makes it again. */
export function once<Value>(make: () => Promise<Value>, sharing?: Sharing): () => MaybePromise<Value> {
  const making = new SingleFlight<Value>(sharing);
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made) return made.value;
    return making.run('', async () => {
      const value = await make();
      made = { value };
      return value;
    });
  };
}
