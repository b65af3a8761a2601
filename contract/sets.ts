/**
 * An object of kind `set`: an ascending list of positions, as the JSON array of the gaps between them
 * (the first counts from -1). The gaps of a set that holds every third post are one digit each, where
 * its positions at 100,000 posts would be five.
 *
 * On a blog that is too large for a pack, a set also has its posts' summaries, so that a page of its list takes a few
 * reads from a far store, not one for each post: full pages in objects of kind `set_page`, oldest first, which the
 * entry of its name lists, and those that are left, 1 to 50, in the set itself, on the lines below the positions.
 */

import { isList, isNumber, isRecord, isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-name.ts';
import { decodePage, encodePage, PAGE_SIZE, type SplitSummary, splitAtViews } from './pages.ts';
import { PACKED_POSTS } from './snapshot.ts';

export interface DecodedSet {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** The summaries that are on no full page; none where the set has no summaries. */
  readonly newest: readonly SplitSummary[];
}

/** How many posts a set has, and its full pages. */
export interface SetPages {
  readonly size: number;
  readonly pages: readonly ObjectHash[];
}

export function isSetPages(value: unknown): value is SetPages {
  return isRecord(value) && isNumber(value['size']) && listOf(isText)(value['pages']);
}

/** Whether the sets of a blog of so many posts have summaries. */
export function haveSummaries(posts: number): boolean {
  return posts > PACKED_POSTS;
}

/** How many pages of a set of `size` posts are full: one post at least is left for the set. */
export function fullPages(size: number): number {
  return Math.max(0, Math.ceil(size / PAGE_SIZE) - 1);
}

/**
 * @param positions ascending, without repeats
 * @param newest the JSON texts of the last summaries, where the set has them
 */
export function encodeSet(positions: Iterable<number>, newest: readonly string[] = []): string {
  let text = '[';
  let last = -1;
  for (const position of positions) {
    text += last === -1 ? position - last : `,${position - last}`;
    last = position;
  }
  return newest.length === 0 ? `${text}]` : `${text}]\n${encodePage(newest)}`;
}

/** @throws SyntaxError where the text is no set */
export function decodeSet(text: string): DecodedSet {
  const end = text.indexOf('\n');
  const newest = end === -1 ? [] : decodePage(text.slice(end + 1)).map(splitAtViews);
  const gaps = parseJson(end === -1 ? text : text.slice(0, end), isList, 'a set');
  const positions = new Uint32Array(gaps.length);
  let last = -1;
  for (let i = 0; i < gaps.length; i++) {
    const gap = gaps[i];
    if (typeof gap !== 'number') throw new SyntaxError('not a set');
    last += gap;
    positions[i] = last;
  }
  return { positions, newest };
}
