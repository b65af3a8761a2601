import { fnv1a } from '../contract/fnv1a.ts';

/** Slots by hash: a power of two. */
const SLOTS = 4096;

/**
 * Remembers of the last few thousand texts that they were asked for, by their hashes: 16 kB, whatever comes. What is
 * asked for once is not worth keeping, and a flood of such must not push out what is.
 *
 * Now and then a text is forgotten early, or two are taken for one; then something is kept a little later, or sooner.
 */
export class AskedBefore {
  readonly #hashes = new Uint32Array(SLOTS);

  /** Whether it was asked for lately; from now on it was. */
  add(text: string): boolean {
    const hash = fnv1a(text);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isKnown;
  }
}
