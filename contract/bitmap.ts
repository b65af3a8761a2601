/** Bitmaps of positions, 32 to a word, the first one lowest: sets are combined 32 positions at a time. */

/** The bitmap of some positions, up to the last one. @param positions ascending */
export function buildBitmap(positions: Uint32Array): Uint32Array {
  const bits = new Uint32Array(wordsFor((positions.at(-1) ?? -1) + 1));
  for (const position of positions) setBit(bits, position);
  return bits;
}

/** The bitmap of the positions `start` up to `end`, of which there is at least one. */
export function bitmapBetween(start: number, end: number): Uint32Array {
  const bits = new Uint32Array(wordsFor(end)).fill(0xffffffff, start >>> 5);
  bits[start >>> 5]! &= -1 << (start & 31);
  bits[bits.length - 1]! &= -1 >>> (-end & 31);
  return bits;
}

/** The number of words for the bits of all posts. */
export function wordsFor(posts: number): number {
  return (posts + 31) >>> 5;
}

export function setBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5]! |= 1 << (position & 31);
}

/** Nothing happens after the last word. */
export function clearBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5]! &= ~(1 << (position & 31));
}

/** Whether a position is set; false after the last word. */
export function hasBit(bits: Uint32Array, position: number): boolean {
  return (bits[position >>> 5]! & (1 << (position & 31))) !== 0;
}

/** Intersects `bits` with others, in place. */
export function intersect(bits: Uint32Array, others: Uint32Array): void {
  for (let i = 0; i < bits.length; i++) bits[i]! &= others[i]!;
}

/** Clears the bits of others, in place. */
export function subtract(bits: Uint32Array, others: Uint32Array): void {
  const end = Math.min(bits.length, others.length);
  for (let i = 0; i < end; i++) bits[i]! &= ~others[i]!;
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += popCount(bits[i]!);
  return count;
}

/** The positions of `count` set bits, ascending, from the `from`th. There must be as many. */
export function positionsIn(bits: Uint32Array, from: number, count: number): Uint32Array {
  const positions = new Uint32Array(count);
  let at = 0;
  let skip = from;
  for (let i = 0; i < bits.length && at < count; i++) {
    let word = bits[i]!;
    const inWord = skip > 0 ? popCount(word) : 0;
    if (inWord > 0 && skip >= inWord) {
      skip -= inWord;
      continue;
    }
    for (; word !== 0 && at < count; word &= word - 1) {
      if (skip > 0) skip--;
      else positions[at++] = i * 32 + 31 - Math.clz32(word & -word);
    }
  }
  return positions;
}

/** The last position, or -1. */
export function lastBit(bits: Uint32Array): number {
  for (let i = bits.length - 1; i >= 0; i--) if (bits[i] !== 0) return i * 32 + 31 - Math.clz32(bits[i]!);
  return -1;
}

/** Bits set in one word (Warren, Hacker's Delight, 5-1). */
function popCount(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
