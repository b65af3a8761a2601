/**
 * An object of kind `set`: ascending positions, as a JSON array of the gaps between them (the first counts from -1). In
 * a set with every third of 100,000 posts, a gap has one digit and a position five.
 *
 * If a blog is too large for a pack, its sets also have the summaries of their posts. Then a page of a set's list takes
 * a few reads from a remote store, not one for each post. Full pages are objects of kind `set_page`, oldest first,
 * named by the set's entry in the name table. The last 1 to 50 are in the set itself, on the lines below the positions.
 */

import { isList, isNumber, isRecord, isText, listOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';
import { Lines, LINE_FEED, NO_LINES } from './lines.ts';
import { encodePage, PAGE_SIZE } from './pages.ts';
import { PACKED_POSTS } from './snapshot.ts';

const decoder = new TextDecoder();

export interface DecodedSet {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** The summaries after the last full page; empty if the set has no summaries. */
  readonly newest: Lines;
}

/** The number of a set's posts, and its full pages. */
export interface SetPages {
  readonly size: number;
  readonly pages: readonly ObjectHash[];
}

export function isSetPages(value: unknown): value is SetPages {
  return isRecord(value) && isNumber(value['size']) && listOf(isText)(value['pages']);
}

/** Whether the sets of a blog have summaries. @param posts of the blog */
export function haveSummaries(posts: number): boolean {
  return posts > PACKED_POSTS;
}

/** The number of full pages of a set with `size` posts. At least one post is left for the set itself. */
export function fullPages(size: number): number {
  return Math.max(0, Math.ceil(size / PAGE_SIZE) - 1);
}

/**
 * @param positions ascending, without repeats
 * @param newest the JSON texts of the last summaries, if the set has summaries
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

/** @throws SyntaxError if the bytes are not a set */
export function decodeSet(bytes: Uint8Array): DecodedSet {
  const end = bytes.indexOf(LINE_FEED);
  const positions = decodePositions(decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)));
  // Its own bytes, since those of the positions are not needed any more.
  return { positions, newest: end < 0 ? NO_LINES : new Lines(new Uint8Array(bytes.subarray(end + 1))) };
}

/** The positions of a set. @throws SyntaxError if the text is not a set */
export function decodePositions(text: string): Uint32Array {
  const end = text.indexOf('\n');
  const gaps = parseJson(end === -1 ? text : text.slice(0, end), isList, 'a set');
  const positions = new Uint32Array(gaps.length);
  let last = -1;
  for (let i = 0; i < gaps.length; i++) {
    const gap = gaps[i];
    if (typeof gap !== 'number') throw new SyntaxError('not a set');
    last += gap;
    positions[i] = last;
  }
  return positions;
}
