/**
 * Compressed posting lists: `count` posts out of `all`, both known to the reader, as gaps in Golomb–Rice code (Golomb,
 * "Run-length encodings", 1966; Rice, 1979). A list with more than half of all posts is inverted; one with all is
 * empty. If more than a third of all posts are written, gaps have no lower bits, and the list is a bitmap.
 */
import type { BitReader } from './bit-reader.ts';

/** The encoding of a list. */
export interface ListCode {
  /** How many posts are written. */
  readonly listed: number;
  /** Whether the posts outside the list are written instead. */
  readonly isInverted: boolean;
  /** The number of lower bits of a gap in binary; the rest precedes them in unary. */
  readonly width: number;
}

export function listCode(count: number, all: number): ListCode {
  const isInverted = 2 * count > all;
  const listed = isInverted ? all - count : count;
  const most = listed === 0 ? 0 : Math.floor((2 * all) / (3 * listed));
  return { listed, isInverted, width: most === 0 ? 0 : 31 - Math.clz32(most) };
}

/** Reads a list. @returns one bit for each of `all`, 32 to a word, the first one lowest */
export function readList(bits: BitReader, count: number, all: number): Uint32Array {
  const { listed, isInverted, width } = listCode(count, all);
  const found = new Uint32Array((all + 31) >>> 5);
  let [at, rest] = [-1, listed];
  if (width === 0) {
    // A bitmap, half a word at a time, while 16 or more posts remain: the list cannot end within it.
    for (; rest >= 16; bits.place += 16, at += 16) {
      const next = bits.peek(bits.place) & 0xffff;
      const shift = (at + 1) & 31;
      found[(at + 1) >>> 5]! |= next << shift;
      if (shift > 16) found[((at + 1) >>> 5) + 1]! |= next >>> (32 - shift);
      rest -= onesIn(next);
    }
  }
  for (const member of readGaps(bits, width, at, rest, all)) found[member >>> 5]! |= 1 << (member & 31);
  if (isInverted) {
    for (let i = 0; i < found.length; i++) found[i]! ^= 0xffffffff;
    if (all % 32 > 0) found[found.length - 1]! &= 2 ** (all % 32) - 1;
  }
  return found;
}

/** Reads a list. @returns its members, ascending */
export function readMembers(bits: BitReader, count: number, all: number): Uint32Array {
  const { isInverted, width } = listCode(count, all);
  if (isInverted || width === 0) return membersOf(readList(bits, count, all), count);
  return readGaps(bits, width, -1, count, all);
}

/** Reads the members after a given one; -1: from the start. */
function readGaps(bits: BitReader, width: number, after: number, count: number, all: number): Uint32Array {
  const members = new Uint32Array(count);
  const mask = (1 << width) - 1;
  let { place } = bits;
  let at = after;
  for (let i = 0; i < count; i++) {
    let next = bits.peek(place);
    while ((next & 0xffffff) === 0) {
      at += 24 << width;
      if (at > all) throw new RangeError('a list of more posts than there are');
      next = bits.peek((place += 24));
    }
    const zeros = 31 - Math.clz32(next & -next);
    const low = zeros + width < 24 ? next >>> (zeros + 1) : bits.peek(place + zeros + 1);
    at += (zeros << width) + (low & mask) + 1;
    place += zeros + 1 + width;
    members[i] = at;
  }
  bits.place = place;
  return members;
}

/** Bits set in half a word (Warren, Hacker's Delight, 5-1). */
function onesIn(half: number): number {
  let ones = half - ((half >>> 1) & 0x5555);
  ones = (ones & 0x3333) + ((ones >>> 2) & 0x3333);
  ones = (ones + (ones >>> 4)) & 0x0f0f;
  return (ones + (ones >>> 8)) & 0x1f;
}

/** Skips a list. */
export function skipList(bits: BitReader, count: number, all: number): void {
  const { listed, width } = listCode(count, all);
  let { place } = bits;
  for (let i = 0; i < listed; i++) {
    let next = bits.peek(place);
    while ((next & 0xffffff) === 0) next = bits.peek((place += 24));
    place += 32 - Math.clz32(next & -next) + width;
  }
  bits.place = place;
}

/** The members of a bitmap, ascending. @param count the number of members */
function membersOf(list: Uint32Array, count: number): Uint32Array {
  const members = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    for (let word = list[i]!; word !== 0; word &= word - 1)
      members[at++] = i * 32 + 31 - Math.clz32(word & -word);
  }
  return members;
}
