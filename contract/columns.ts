/**
 * View counts, and the order by views. Both change everywhere with each build, so they are stored in columns apart from
 * the summaries. A list reads only the columns of its posts. The columns are few: if every view count of 100,000 posts
 * changes, seven objects are rewritten.
 */

import type { Directory } from './directory.ts';
import { isNumber, isText, listOf, parseJson, recordOf } from './json.ts';

/**
 * The number of positions in each column but the last. Views columns are larger, because 15 posts from anywhere take up
 * to 15 of them. Popular columns are smaller, because most readers of them want the first page.
 */
export const COLUMN_SIZES: ColumnSizes = { views: 65_536, popular: 32_768 };

export interface ColumnSizes {
  readonly views: number;
  readonly popular: number;
}

/** The same of a snapshot. In formats 1 to 3 it had two views columns at most, the first as long as possible. */
export function columnSizes({ format, posts }: Pick<Directory, 'format' | 'posts'>): ColumnSizes {
  if (format > 3) return COLUMN_SIZES;
  const size = 16_384;
  return { views: posts - (posts % size) || size, popular: size };
}

/**
 * The popular columns have the positions of posts with views. The others follow, newest first, without a column: in
 * one, each new post, which has no views yet, would shift all others.
 */

/*
 * A views column is one string. Each count is its digits, the highest first: the last from `#` to `[`, those before it
 * from `]` to `|`, none of which needs escaping. Most counts take one or two characters, and a list of integers takes
 * many times longer to parse.
 */
const LAST_BASE = 57;
const LAST_ZERO = 0x23;
const HIGH_BASE = 32;
const HIGH_ZERO = 0x5d;

/** @param views counts up to 2^53 - 1 */
export function encodeViews(views: Iterable<number>): string {
  let digits = '';
  for (const count of views) {
    let written = String.fromCharCode(LAST_ZERO + (count % LAST_BASE));
    for (let rest = Math.floor(count / LAST_BASE); rest > 0; rest = Math.floor(rest / HIGH_BASE))
      written = String.fromCharCode(HIGH_ZERO + (rest % HIGH_BASE)) + written;
    digits += written;
  }
  return JSON.stringify(digits);
}

/**
 * Decodes a views column. In formats 1 to 3 it is a list of integers.
 *
 * @throws SyntaxError if the text is not a views column
 */
export function decodeViews(text: string): Float64Array {
  const column = parseJson(text, isViewsColumn, 'a views column');
  if (typeof column !== 'string') return Float64Array.from(column);
  const views = new Float64Array(column.length);
  let counts = 0;
  let high = 0;
  for (let i = 0; i < column.length; i++) {
    const code = column.charCodeAt(i);
    if (code >= HIGH_ZERO) high = high * HIGH_BASE + (code - HIGH_ZERO);
    else {
      views[counts++] = high * LAST_BASE + (code - LAST_ZERO);
      high = 0;
    }
  }
  return views.slice(0, counts);
}

const isCounts = listOf(isNumber);
function isViewsColumn(value: unknown): value is string | number[] {
  return isText(value) || isCounts(value);
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
