import { fnv1a } from '../contract/fnv1a.ts';

/** A power of two. */
const SLOTS = 4096;

/**
 * Lets a value into a full cache only on its second request, so that a flood of unique requests evicts nothing, and what it
 * reads is garbage at once. In 16 kB, it remembers the hashes of the last few thousand keys. Collisions only make a value
 * enter a little earlier or later.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(SLOTS);

  /** Whether a key was asked for recently; remembers it. */
  knows(key: string): boolean {
    const hash = fnv1a(key);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isKnown;
  }
}
