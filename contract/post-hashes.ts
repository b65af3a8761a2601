/**
 * Where articles stand by position, for those who walk through the whole blog: objects of kind `post_hashes`, and
 * `page_times` of the directory, by which the page with an article's summary is found.
 */
import { isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';

/** Positions in one object: 20 pages. */
export const POST_HASHES_SIZE = 1000;

/** @param hashes of the objects `post`, by position */
export function encodePostHashes(hashes: readonly ObjectHash[]): string {
  return `${JSON.stringify(hashes)}\n`;
}

/** @throws SyntaxError where the text is no such list */
export function decodePostHashes(text: string): readonly ObjectHash[] {
  return parseJson(text, listOf(isText), 'a list of articles');
}

/**
 * The pages that an article may stand on: one, but where many articles have the same time.
 *
 * @param times when the first article of each page was published, in Unix seconds; they never fall
 * @param time of the article
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

/** How many times are at most this one. */
function countUpTo(times: readonly number[], most: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
