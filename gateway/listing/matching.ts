import { bitsOf, countBits, hasBit, keepBits, positionsIn, wordsFor } from './position-bits.ts';

/**
 * The posts that match a combination of filters, ready to be paged: a list if they are few, a bitmap if they are many, so
 * time and memory grow with the number of posts divided by 32.
 */
export class Matching {
  readonly size: number;
  /** Its size in memory. */
  readonly bytes: number;
  readonly #slice: (from: number, count: number) => number[];

  /** @param slice returns `count` existing positions, ascending, from index `from` */
  private constructor(size: number, bytes: number, slice: (from: number, count: number) => number[]) {
    this.size = size;
    this.bytes = bytes;
    this.#slice = slice;
  }

  /** Every post. */
  static everything(posts: number): Matching {
    return new Matching(posts, 0, (from, length) => Array.from({ length }, (_, i) => from + i));
  }

  /** @param positions ascending */
  static list(positions: Uint32Array): Matching {
    const { length, byteLength } = positions;
    return new Matching(length, byteLength, (from, count) => [...positions.subarray(from, from + count)]);
  }

  static bits(bits: Uint32Array): Matching {
    return new Matching(countBits(bits), bits.byteLength, (from, count) => positionsIn(bits, from, count));
  }

  /** One page: `count` positions from index `from`, newest or oldest first. */
  cut(from: number, count: number, order: 'new' | 'old'): number[] {
    const wanted = Math.max(0, Math.min(count, this.size - from));
    return order === 'old'
      ? this.#slice(from, wanted)
      : this.#slice(Math.max(0, this.size - from - wanted), wanted).reverse();
  }
}

/**
 * The intersection of all sets. Members of the smallest are looked up in the others; if it is large, bitmaps are combined
 * 32 positions at a time.
 *
 * @param sets ascending positions; at least one, or a search
 * @param found the bitmap of a search, if any
 */
export function intersection(
  sets: readonly Uint32Array[],
  found: Uint32Array | undefined,
  posts: number,
): Matching {
  const [smallest, ...others] = [...sets].sort((a, b) => a.length - b.length);
  if (!smallest) return found ? Matching.bits(found) : Matching.everything(posts);

  if (others.length === 0 && !found) return Matching.list(smallest);
  const tests = [...others.map((set) => bitsOf(set)), ...(found ? [found] : [])];
  if (smallest.length <= wordsFor(posts)) {
    return Matching.list(smallest.filter((position) => tests.every((bits) => hasBit(bits, position))));
  }
  const bits = bitsOf(smallest).slice();
  for (const test of tests) keepBits(bits, test);
  return Matching.bits(bits);
}
