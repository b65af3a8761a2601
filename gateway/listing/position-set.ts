/** The positions of some posts: as a list, and as bits where many sets are combined. */
export class PositionSet {
  /** Ascending. */
  readonly positions: Uint32Array;
  #bits: Uint32Array | undefined;

  constructor(positions: Uint32Array) {
    this.positions = positions;
  }

  get size(): number {
    return this.positions.length;
  }

  /**
   * One bit a position, 32 to a word.
   *
   * @param posts how many there are in all
   */
  bits(posts: number): Uint32Array {
    if (this.#bits) return this.#bits;
    const bits = new Uint32Array(wordsFor(posts));
    for (const position of this.positions) bits[position >>> 5]! |= 1 << (position & 31);
    this.#bits = bits;
    return bits;
  }
}

/** Words that hold a bit for each of so many positions. */
export function wordsFor(posts: number): number {
  return (posts + 31) >>> 5;
}

export function hasBit(bits: Uint32Array, position: number): boolean {
  return (bits[position >>> 5]! & (1 << (position & 31))) !== 0;
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += popCount(bits[i]!);
  return count;
}

/** Bits set in one word (Warren, Hacker's Delight, 5-1). */
export function popCount(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
