/**
 * Articles by position, for walks through the whole blog: objects of kind `post_hashes`, and `page_times` of the
 * directory, which give the page with an article's summary.
 */
import { isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';

/** Positions in one object: 20 pages. */
export const POST_HASHES_SIZE = 1000;

/** @param hashes of the objects `post`, by position */
export function encodePostHashes(hashes: readonly ObjectHash[]): string {
  return `${JSON.stringify(hashes)}\n`;
}

/** @throws SyntaxError if the text is not such a list */
export function decodePostHashes(text: string): readonly ObjectHash[] {
  return parseJson(text, listOf(isText), 'a list of articles');
}

/**
 * The pages that an article may be on: one, unless many articles have the same time.
 *
 * @param times publication time of the first article of each page, in Unix seconds, ascending
 * @param time of the article, in Unix seconds
 * @returns page numbers, ascending from `first` to `last`
 */
export function pagesAt(
  times: readonly number[],
  time: number,
): { readonly first: number; readonly last: number } {
  const last = countUpTo(times, time) - 1;
  const before = countUpTo(times, time - 1) - 1;
  return { first: Math.max(0, before), last };
}

/** The number of times up to `most`. */
function countUpTo(times: readonly number[], most: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
