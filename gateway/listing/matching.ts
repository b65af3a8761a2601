import { bitmapBetween, buildBitmap, countBits, positionsIn } from '../../contract/bitmap.ts';
import { memoised } from '../memoised.ts';

/** The posts that match a combination of filters and a search, ready to be paged. */
export interface Matching {
  readonly size: number;
  /** Its size in memory. */
  readonly bytes: number;
  /** Returns `count` positions, ascending, from index `from`; there must be as many. */
  readonly slice: (from: number, count: number) => Uint32Array;
  /** One bit for each position, up to the last one or further. */
  readonly bits: () => Uint32Array;
}

/** The bitmap of ascending positions. Computed once for each set. */
export const getBitmap = memoised(buildBitmap);

/** The posts from position `start` up to `end`. */
export function everything(start: number, end: number): Matching {
  const slice = (from: number, count: number) => new Uint32Array(count).map((_, i) => start + from + i);
  return { size: end - start, bytes: 0, slice, bits: () => bitmapBetween(start, end) };
}

/** @param positions ascending */
export function list(positions: Uint32Array): Matching {
  const slice = (from: number, count: number) => positions.subarray(from, from + count);
  return { size: positions.length, bytes: positions.byteLength, slice, bits: () => getBitmap(positions) };
}

/** The posts of a bitmap. */
export function bitmap(bits: Uint32Array): Matching {
  const slice = (from: number, count: number) => positionsIn(bits, from, count);
  return { size: countBits(bits), bytes: bits.byteLength, slice, bits: () => bits };
}
