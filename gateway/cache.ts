import { LRUCache } from 'lru-cache';
import { fnv1a } from '../contract/fnv1a.ts';
import { ownText } from './own-text.ts';
import { SingleFlight } from './single-flight.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** Overhead of an entry besides value and key, measured. */
const ENTRY_BYTES = 600;

/** Slots of the doorkeeper: a power of two. */
const SLOTS = 4096;

/**
 * An LRU cache limited by bytes; concurrent requests for one key share the work.
 *
 * When it is full, a value enters only on its second request: a flood of unique requests does not evict popular values,
 * and its results are garbage at once.
 */
export class Cache<Value extends object> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #kept: LRUCache<string, Value>;
  /**
   * The doorkeeper: hashes of the last few thousand rejected keys, in 16 kB. Collisions only make a value enter a little
   * earlier or later.
   */
  readonly #doorkeeper = new Uint32Array(SLOTS);
  readonly #making = new SingleFlight<Value>();

  /** @param sizeOf a value in bytes, without its key */
  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = Math.floor(maxBytes);
    this.#sizeOf = sizeOf;
    this.#kept = new LRUCache({ maxSize: this.#maxBytes, maxEntrySize: Math.floor(maxBytes / 4) });
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
    const hasRoom = this.#kept.calculatedSize + size <= this.#maxBytes;
    if (hasRoom || this.#wasRejected(key)) this.#kept.set(ownText(key), value, { size });
  }

  /** Whether a key was rejected recently; records it as rejected. */
  #wasRejected(key: string): boolean {
    const hash = fnv1a(key);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#doorkeeper[slot] === hash;
    this.#doorkeeper[slot] = hash;
    return isKnown;
  }
}
