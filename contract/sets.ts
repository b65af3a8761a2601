/**
 * A set: the positions of one category's, tag's or author's posts, ascending, as a JSON list of the gaps between them (the first
 * counts from -1). In a set with every third of 100,000 posts, a gap has one digit and a position five.
 *
 * The summaries of its newest posts are lines of their own, so the first pages of its list take one read from a remote store, not one
 * for each post. If a blog is so small that it has a pack, there are none.
 */
import { isList, parseJson } from './json.ts';
import { PACKED_POSTS } from './snapshot.ts';

/** The summaries in the lines of a set. */
const NEWEST = 50;

/** How many of a set's posts have such summaries. @param posts of the blog */
export function newestIn(size: number, posts: number): number {
  return posts > PACKED_POSTS ? Math.min(size, NEWEST) : 0;
}

/** @param positions ascending, without repeats */
export function encodePositions(positions: Iterable<number>): string {
  const gaps: number[] = [];
  let last = -1;
  for (const position of positions) {
    gaps.push(position - last);
    last = position;
  }
  return JSON.stringify(gaps);
}

/** @throws SyntaxError if the text is not a set */
export function decodePositions(text: string): Uint32Array {
  const gaps = parseJson(text, isList, 'a set');
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
