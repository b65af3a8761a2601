import { ByteCache } from './byte-cache.ts';
import { ownText } from './own-text.ts';
import { type Sharing, SingleFlight } from './single-flight.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** Overhead of an entry, without value and key. Measured. */
const ENTRY_BYTES = 600;

/** A cache of what is made on request; concurrent requests for one key share the work. */
export class Cache<Value extends object> {
  readonly #measure: (value: Value) => number;
  readonly #kept: ByteCache<Value>;
  readonly #making: SingleFlight<Value>;

  /**
   * @param measure a value in bytes, without its key
   * @param sharing as in SingleFlight
   */
  constructor(maxBytes: number, measure: (value: Value) => number, sharing?: Sharing) {
    this.#measure = measure;
    this.#making = new SingleFlight(sharing);
    this.#kept = new ByteCache(maxBytes, maxBytes / 4);
  }

  /** The cached value, or the result of `make`. */
  get(key: string, make: () => MaybePromise<Value>): MaybePromise<Value> {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    return this.#making.run(key, () =>
      andThen(make(), (value) => {
        this.#keep(key, value);
        return value;
      }),
    );
  }

  #keep(key: string, value: Value): void {
    const size = this.#measure(value) + 2 * key.length + ENTRY_BYTES;
    if (this.#kept.admits(key, size)) this.#kept.set(ownText(key), value, size);
  }
}
