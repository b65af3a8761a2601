import { LRUCache } from 'lru-cache';
import { Doorkeeper } from './doorkeeper.ts';
import { ownText } from './own-text.ts';
import { type Sharing, SingleFlight } from './single-flight.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** Overhead of an entry besides value and key, measured. */
const ENTRY_BYTES = 600;

/** An LRU cache limited by bytes, with a doorkeeper; concurrent requests for one key share the work. */
export class Cache<Value extends object> {
  readonly #sizeOf: (value: Value) => number;
  readonly #kept: LRUCache<string, Value>;
  readonly #doorkeeper = new Doorkeeper();
  readonly #making: SingleFlight<Value>;

  /**
   * @param sizeOf a value in bytes, without its key
   * @param sharing as in SingleFlight
   */
  constructor(maxBytes: number, sizeOf: (value: Value) => number, sharing?: Sharing) {
    this.#sizeOf = sizeOf;
    this.#making = new SingleFlight(sharing);
    this.#kept = new LRUCache({ maxSize: Math.floor(maxBytes), maxEntrySize: Math.floor(maxBytes / 4) });
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
    const size = this.#sizeOf(value) + 2 * key.length + ENTRY_BYTES;
    if (this.#doorkeeper.admits(this.#kept, key, size)) this.#kept.set(ownText(key), value, { size });
  }
}
