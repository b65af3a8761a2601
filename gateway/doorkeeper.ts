import { fnv1a } from '../contract/fnv1a.ts';

/** A cache limited by bytes: how many it has, and may have. */
interface Filled {
  readonly calculatedSize: number;
  readonly maxSize: number;
}

/** A power of two. */
const SLOTS = 4096;

/**
 * Lets a value into a full cache only on its second request, so that a flood of unique requests evicts nothing, and what it
 * reads is garbage at once. In 16 kB, it remembers the hashes of the last few thousand keys. Collisions only make a value
 * enter a little earlier or later.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(SLOTS);

  /** Whether a value of a size may enter a cache: there is room, or its key was asked for recently. */
  admits(cache: Filled, key: string, size: number): boolean {
    return cache.calculatedSize + size <= cache.maxSize || this.#knows(key);
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
