/** Slots by hash: a power of two. */
const SLOTS = 4096;

/**
 * Remembers of the last few thousand texts that they were asked for, by their hashes: 16 kB, whatever comes. What is
 * asked for once is not worth keeping, and a flood of such must not push out what is.
 *
 * Now and then a text is forgotten early, or two are taken for one; then something is kept a little later, or sooner.
 */
export class AskedBefore {
  readonly #hashes = new Int32Array(SLOTS);

  /** Whether it was asked for lately; from now on it was. */
  add(text: string): boolean {
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    const isKnown = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isKnown;
  }
}

/** FNV-1a over code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
