import { countBits, hasBit, popCount, type PositionSet, wordsFor } from './position-set.ts';

/**
 * The posts that a combination of filters matches, ready to be cut into pages. Two forms: a list where
 * they are few, bits where they are many, so that neither the work nor the memory grows much faster than
 * the number of posts divided by 32.
 */
export interface Matching {
  readonly size: number;
  /** What it takes in memory. */
  readonly bytes: number;
  /** Part of it by position: `count` positions from the `from`th on, from the newest or the oldest. */
  cut(from: number, count: number, order: 'new' | 'old'): number[];
  /** All of it, ascending. */
  all(): Uint32Array;
}

/** Every post. */
export function everything(posts: number): Matching {
  return {
    size: posts,
    bytes: 0,
    cut(from, count, order) {
      const length = Math.max(0, Math.min(count, posts - from));
      return Array.from({ length }, (_, i) => (order === 'old' ? from + i : posts - 1 - from - i));
    },
    all: () => Uint32Array.from({ length: posts }, (_, position) => position),
  };
}

export function fromList(positions: Uint32Array): Matching {
  return {
    size: positions.length,
    bytes: positions.byteLength,
    cut(from, count, order) {
      if (order === 'old') return [...positions.subarray(from, from + count)];
      const end = Math.max(0, positions.length - from);
      return [...positions.subarray(Math.max(0, end - count), end)].reverse();
    },
    all: () => positions,
  };
}

function fromBits(bits: Uint32Array): Matching {
  const size = countBits(bits);
  return {
    size,
    bytes: bits.byteLength,
    cut(from, count, order) {
      const wanted = Math.max(0, Math.min(count, size - from));
      const start = order === 'old' ? from : size - from - wanted;
      const positions = bitsFrom(bits, start, wanted);
      return order === 'old' ? positions : positions.reverse();
    },
    all: () => Uint32Array.from(bitsFrom(bits, 0, size)),
  };
}

/**
 * What all of the sets hold, the smallest first: its members are looked up in the others, or, where it
 * is large, words of bits are joined 32 positions at a time.
 *
 * @param sets at least one
 * @param found bits that a search gave, if there was one
 */
export function intersection(
  sets: readonly PositionSet[],
  found: Uint32Array | undefined,
  posts: number,
): Matching {
  const [smallest, ...others] = [...sets].sort((a, b) => a.size - b.size);
  if (!smallest) return found ? fromBits(found) : everything(posts);
  if (others.length === 0 && !found) return fromList(smallest.positions);

  const tests = [...others.map((set) => set.bits(posts)), ...(found ? [found] : [])];
  if (smallest.size <= wordsFor(posts)) {
    return fromList(smallest.positions.filter((position) => tests.every((bits) => hasBit(bits, position))));
  }
  const bits = smallest.bits(posts).slice();
  for (const test of tests) for (let i = 0; i < bits.length; i++) bits[i]! &= test[i]!;
  return fromBits(bits);
}

/** `count` set bits, ascending, from the `from`th on. */
function bitsFrom(bits: Uint32Array, from: number, count: number): number[] {
  const positions: number[] = [];
  let skip = from;
  for (let i = 0; i < bits.length && positions.length < count; i++) {
    let word = bits[i]!;
    const inWord = popCount(word);
    if (skip >= inWord) {
      skip -= inWord;
      continue;
    }
    for (; word !== 0 && positions.length < count; word &= word - 1) {
      if (skip > 0) skip--;
      else positions.push(i * 32 + (31 - Math.clz32(word & -word)));
    }
  }
  return positions;
}
