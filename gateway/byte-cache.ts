import { LRUCache } from 'lru-cache';
import { fnv1a } from '../contract/fnv1a.ts';

/** A power of two. */
const SLOTS = 4096;

/**
 * One in so many eligible values enters a full cache. So random requests for more than fits do not replace it all the time, and the
 * most requested values stay (q-LRU: Martina, Garetto and Leonardi, 2014).
 */
const ENTRIES = 16;

/**
 * An LRU cache limited by bytes. A value enters a full one only if it was requested before, so that a flood of unique requests
 * evicts nothing, and what it reads is garbage at once. In 16 kB, it remembers the hashes of the last few thousand keys.
 * Collisions only make a value enter a little earlier or later.
 */
export class ByteCache<Value extends string | object> {
  readonly #kept: LRUCache<string, Value>;
  readonly #hashes = new Uint32Array(SLOTS);
  #turn = 0;

  /** @param maxEntryBytes of one value */
  constructor(maxBytes: number, maxEntryBytes = maxBytes) {
    this.#kept = new LRUCache({ maxSize: Math.floor(maxBytes), maxEntrySize: Math.floor(maxEntryBytes) });
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  /** @param size of the value and its entry, in bytes */
  set(key: string, value: Value, size: number): void {
    this.#kept.set(key, value, { size });
  }

  /**
   * Whether a value of a size may enter: there is room, or its key was asked for recently and it is its turn.
   *
   * @param isCostly whether making it takes so much that it has no turn: it enters when it is asked for again
   */
  admits(key: string, size: number, isCostly = false): boolean {
    const { calculatedSize, maxSize, maxEntrySize } = this.#kept;
    if (size > maxEntrySize) return false; // It must not take the turn of others.
    if (calculatedSize + size <= maxSize) return true;
    if (!this.#knows(key)) return false;
    if (isCostly) return true;
    this.#turn = (this.#turn + 1) % ENTRIES;
    return this.#turn === 0;
  }

  /** Remembers the key. */
  #knows(key: string): boolean {
    const hash = fnv1a(key);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isKnown;
  }
}
