/**
 * View counts, and the order by views. Both change everywhere with each build, so they are stored in columns apart from
 * the summaries. The columns are few: if every view count of 100,000 posts changes, nine objects are rewritten.
 */

import { isList, isNumber, isText, parseJson, recordOf } from './json.ts';

/** Positions in the last views column, and ranks in each popular column, at most. */
export const COLUMN_SIZE = 16_384;

/**
 * The boundaries of the views columns: `[0, n]`, or `[0, k, n]` with k a multiple of COLUMN_SIZE. There are two at
 * most, because a page of filtered posts needs both. The last is short, because each publish rewrites it.
 *
 * @param posts the number of posts
 * @returns boundaries; column i has the positions from boundary i up to boundary i + 1
 */
export function viewsCuts(posts: number): number[] {
  const full = posts - (posts % COLUMN_SIZE);
  return full === 0 || full === posts ? [0, posts] : [0, full, posts];
}

/**
 * The popular columns have the positions of posts with views. The others follow, newest first, without a column: in
 * one, each new post, which has no views yet, would shift all others.
 */

/** A views column is a JSON array of counts. */
export function encodeViews(views: readonly number[]): string {
  return JSON.stringify(views);
}

/**
 * @returns counts up to 2^53 - 1
 * @throws SyntaxError if the text is not a views column
 */
export function decodeViews(text: string): Float64Array {
  const list = parseJson(text, isList, 'a views column');
  const views = new Float64Array(list.length);
  for (let i = 0; i < views.length; i++) {
    const count = list[i];
    if (typeof count !== 'number') throw new SyntaxError('not a views column');
    views[i] = count;
  }
  return views;
}

/*
 * A popular column is one string of base-57 digits, the same number for each position: half the bytes of a list of
 * integers. When a post becomes popular, all columns after it shift and are rewritten, so their size matters. The
 * digits run from `#` to `[`, and need no escaping.
 */
const BASE = 57;
const ZERO = 0x23;

/** @param posts the number of all posts */
export function encodeRanks(positions: Uint32Array, posts: number): string {
  const width = rankDigits(posts);
  let digits = '';
  for (const position of positions) {
    let rest = position;
    let written = '';
    for (let i = 0; i < width; i++) {
      written = String.fromCharCode(ZERO + (rest % BASE)) + written;
      rest = Math.floor(rest / BASE);
    }
    digits += written;
  }
  return JSON.stringify({ width, digits });
}

/**
 * Decodes a popular column: positions, in the order of views.
 *
 * @throws SyntaxError if the text is not a popular column
 */
export function decodeRanks(text: string): Uint32Array {
  const { width, digits } = parseJson(text, isPopularColumn, 'a popular column');
  const positions = new Uint32Array(digits.length / width);
  for (let i = 0, at = 0; i < positions.length; i++) {
    let position = 0;
    for (let digit = 0; digit < width; digit++) position = position * BASE + digits.charCodeAt(at++) - ZERO;
    positions[i] = position;
  }
  return positions;
}

const isPopularColumn = recordOf<{ width: number; digits: string }>({ width: isNumber, digits: isText });

/** Digits of each position in a popular column. @param posts the number of all posts */
export function rankDigits(posts: number): number {
  let width = 1;
  while (BASE ** width < posts) width++;
  return width;
}
