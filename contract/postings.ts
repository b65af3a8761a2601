/**
 * A list of positions within a segment, in few bits: its length in Elias's gamma code, then the gaps
 * between the positions in Golomb–Rice code, whose parameter follows from the length (Golomb, "Run-length
 * encodings", 1966; Rice, 1979).
 */
import { bitsAt, type BitWriter } from './bits.ts';

/**
 * @param positions ascending, at least one
 * @param posts of the segment: more than any position
 */
export function writePostings(bits: BitWriter, positions: Uint16Array, posts: number): void {
  bits.writeGamma(positions.length);
  const width = parameterFor(positions.length, posts);
  const mask = (1 << width) - 1;
  let last = -1;
  for (const position of positions) {
    const gap = position - last - 1;
    last = position;
    bits.writeUnary(gap >>> width);
    if (width > 0) bits.write(gap & mask, width);
  }
}

/**
 * Reads lists that writePostings wrote one behind the other. A million positions are read before the first
 * search of a large blog is answered, so this looks at 32 bits at once, and calls nothing.
 *
 * @param bits see unpackBits
 * @param from the bit at which the first list begins
 * @param into gets the positions
 * @param lists gets where in `into` each list ends, from its second entry on; its length says how many there are
 */
export function readPostings(
  bits: Uint32Array,
  from: number,
  posts: number,
  into: Uint16Array,
  lists: Uint32Array,
): void {
  let place = from;
  let at = 0;
  for (let list = 1; list < lists.length; list++) {
    const gamma = bitsAt(bits, place);
    const digits = Math.clz32(~gamma);
    const length = digits === 0 ? 1 : (1 << digits) | ((gamma << (digits + 1)) >>> (32 - digits));
    place += 2 * digits + 1;
    const width = parameterFor(length, posts);
    for (let i = 0, last = -1; i < length; i++) {
      let next = bitsAt(bits, place);
      let high = 0;
      while (next === -1) {
        high += 32;
        next = bitsAt(bits, (place += 32));
      }
      const ones = Math.clz32(~next);
      last += ((high + ones) << width) + 1;
      if (width > 0) {
        const rest = ones + width < 31 ? next << (ones + 1) : bitsAt(bits, place + ones + 1);
        last += rest >>> (32 - width);
      }
      place += ones + 1 + width;
      into[at++] = last;
    }
    lists[list] = at;
  }
}

/** Bits of a gap that are written as they are: the mean gap is about as large as they can say. */
function parameterFor(length: number, posts: number): number {
  const most = Math.floor((2 * posts) / (3 * length));
  return most === 0 ? 0 : 31 - Math.clz32(most);
}
