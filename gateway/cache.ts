import { LRUCache } from 'lru-cache';
import { fnv1a } from '../contract/fnv1a.ts';
import { SingleFlight } from './single-flight.ts';
import { andThen, type Soon } from './soon.ts';

/** What an entry takes beside its value and its key: measured, some 600. */
const ENTRY_BYTES = 600;

/** Slots of the doorkeeper by hash: a power of two. */
const SLOTS = 4096;

/**
 * Values by key, as many as fit into a number of bytes, each made once however many ask at the same time.
 *
 * While there is room, all are kept. Then a value comes in only when it is asked for again: so a flood of
 * requests of which each is new pushes nothing out that many ask for, and what it makes is gone at once.
 */
export class Cache<Value extends object> {
  readonly #maxBytes: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #kept: LRUCache<string, Value>;
  /**
   * The doorkeeper: hashes of the last few thousand keys that found no room, 16 kB whatever comes. Now and then a key is
   * forgotten early, or two are taken for one; then a value is kept a little later, or sooner.
   */
  readonly #turnedAway = new Uint32Array(SLOTS);
  readonly #making = new SingleFlight<Value>();

  /** @param sizeOf a value in bytes, without its key */
  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = Math.floor(maxBytes);
    this.#sizeOf = sizeOf;
    this.#kept = new LRUCache({ maxSize: this.#maxBytes, maxEntrySize: Math.floor(maxBytes / 4) });
  }

  /** The value that is kept, or `make`s it. */
  get(key: string, make: () => Soon<Value>): Soon<Value> {
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
    if (hasRoom || this.#wasTurnedAway(key)) this.#kept.set(key, value, { size });
  }

  /** Whether a key found no room lately; from now on it did not. */
  #wasTurnedAway(key: string): boolean {
    const hash = fnv1a(key);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#turnedAway[slot] === hash;
    this.#turnedAway[slot] = hash;
    return isKnown;
  }
}
