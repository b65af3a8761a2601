import { LRUCache } from 'lru-cache';
import { AskedBefore } from '../asked-before.ts';
import { SingleFlight } from '../single-flight.ts';
import { andThen, type Soon } from '../soon.ts';

/** What an entry takes beside its value and its key: measured, some 600. */
export const ENTRY_BYTES = 600;

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
  readonly #asked = new AskedBefore();
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
    if (hasRoom || this.#asked.add(key)) this.#kept.set(key, value, { size });
  }
}
