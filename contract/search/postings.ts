/**
 * Compressed posting lists: `count` posts out of `all`, both known to the reader, as gaps in Golomb–Rice code (Golomb,
 * "Run-length encodings", 1966; Rice, 1979). A list with more than half of all posts is inverted; one with all is
 * empty. If more than a third of all posts are written, gaps have no lower bits, and the list is a bitmap.
 */
import type { BitReader } from './bit-reader.ts';
import { positionsIn, setBit, wordsFor } from '../bitmap.ts';

/** The encoding of a list. */
interface ListCode {
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

/** Reads a list. @returns the bitmap of `all` */
export function readList(bits: BitReader, count: number, all: number): Uint32Array {
  const { listed, isInverted, width } = listCode(count, all);
  const found = new Uint32Array(wordsFor(all));
  let [at, rest] = [-1, listed];
  let { place } = bits;
  if (width < steps.length) {
    // Some bits at a time, while the list cannot end within them.
    const { size, members, counts, lengths, advances } = (steps[width] ??= buildSteps(width));
    while (rest >= size && at < all) {
      const next = bits.peek(place) & ((1 << size) - 1);
      const set = members[next]!;
      const shift = (at + 1) & 31;
      const word = (at + 1) >>> 5;
      found[word]! |= set << shift;
      const beyond = shift === 0 ? 0 : set >>> (32 - shift);
      if (beyond !== 0) found[word + 1]! |= beyond;
      rest -= counts[next]!;
      place += lengths[next]!;
      at += advances[next]!;
    }
  }
  bits.place = place;
  const last = readGaps(bits, width, at, rest, all);
  for (let i = 0; i < last.length; i++) setBit(found, last[i]!);
  if (isInverted) {
    for (let i = 0; i < found.length; i++) found[i]! ^= 0xffffffff;
    if (all % 32 > 0) found[found.length - 1]! &= 2 ** (all % 32) - 1;
  }
  return found;
}

/** What each value of the next `size` bits of a list means: the gaps that end within them. */
interface Steps {
  readonly size: number;
  /** The members that are found, the first post after the last member lowest. */
  readonly members: Int32Array;
  readonly counts: Uint8Array;
  /** Bits of these gaps; if none ends, of its zeros. */
  readonly lengths: Uint8Array;
  /** Posts that are passed, members included. */
  readonly advances: Uint8Array;
}

/** By width, made when first needed. Wider gaps are few in a list, and read one at a time. */
const steps: (Steps | undefined)[] = [undefined, undefined, undefined];

function buildSteps(width: number): Steps {
  // So that all members are within 32 posts.
  const size = [12, 12, 10][width] ?? 0;
  const values = 1 << size;
  const [members, counts] = [new Int32Array(values), new Uint8Array(values)];
  const [lengths, advances] = [new Uint8Array(values), new Uint8Array(values)];
  for (let value = 0; value < values; value++) {
    lengths[value] = value === 0 ? size : 31 - Math.clz32(value & -value);
    advances[value] = lengths[value]! << width;
    for (let [length, advance] = [0, 0]; ;) {
      const rest = value >>> length;
      const zeros = 31 - Math.clz32(rest & -rest);
      length += zeros + 1 + width;
      if (rest === 0 || length > size) break;
      advance += (zeros << width) + ((rest >>> (zeros + 1)) & ((1 << width) - 1)) + 1;
      members[value]! |= 1 << (advance - 1);
      counts[value]!++;
      [lengths[value], advances[value]] = [length, advance];
    }
  }
  return { size, members, counts, lengths, advances };
}

/** Reads a list. @returns its members, ascending */
export function readMembers(bits: BitReader, count: number, all: number): Uint32Array {
  const { isInverted, width } = listCode(count, all);
  if (isInverted || width === 0) return positionsIn(readList(bits, count, all), 0, count);
  return readGaps(bits, width, -1, count, all);
}

/** Reads the members after a given one; -1: from the start. */
function readGaps(bits: BitReader, width: number, after: number, count: number, all: number): Uint32Array {
  const members = new Uint32Array(count);
  const mask = (1 << width) - 1;
  let { place } = bits;
  let at = after;
  for (let i = 0; i < count; i++) {
    let next = bits.peek(place) & 0x1ffffff;
    while ((next & 0xffffff) === 0) {
      at += 24 << width;
      if (at > all) throw new RangeError('a list of more posts than there are');
      next = bits.peek((place += 24)) & 0x1ffffff;
    }
    const zeros = 31 - Math.clz32(next & (~next + 1));
    const low = zeros + width < 24 ? next >> (zeros + 1) : bits.peek(place + zeros + 1);
    at += (zeros << width) + (low & mask) + 1;
    place += zeros + 1 + width;
    members[i] = at;
  }
  bits.place = place;
  return members;
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
