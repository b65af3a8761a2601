import { LRUCache } from 'lru-cache';
import type { Soon } from '../soon.ts';

/** How many keys are remembered that were asked for once. */
const ASKED = 2000;

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
  readonly #asked = new LRUCache<string, true>({ max: ASKED });
  readonly #underWay = new Map<string, Promise<Value>>();

  /** @param sizeOf a value in bytes, without its key */
  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    this.#maxBytes = Math.floor(maxBytes);
    this.#sizeOf = sizeOf;
    this.#kept = new LRUCache({ maxSize: this.#maxBytes, maxEntrySize: Math.floor(maxBytes / 4) });
  }

  /** The value that is kept, or `make`s it. */
  get(key: string, make: () => Soon<Value>): Soon<Value> {
    const kept = this.#kept.get(key) ?? this.#underWay.get(key);
    if (kept) return kept;
    const made = make();
    if (!(made instanceof Promise)) {
      this.#keep(key, made);
      return made;
    }
    const making = made
      .then((value) => {
        this.#keep(key, value);
        return value;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    return making;
  }

  #keep(key: string, value: Value): void {
    const size = this.#sizeOf(value) + 2 * key.length + 200;
    const hasRoom = this.#kept.calculatedSize + size <= this.#maxBytes;
    if (hasRoom || this.#asked.delete(key)) this.#kept.set(key, value, { size });
    else this.#asked.set(key, true);
  }
}
