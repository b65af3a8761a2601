import { type SearchPart, searchCuts } from '../../contract/search-index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { wordsFor } from './position-set.ts';

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag
 * (design, "Filtering and searching").
 *
 * A segment's words are one long string, so the engine's own string search finds a term in all of them;
 * each word it is found in gives a ready list of positions.
 *
 * @param terms normalised, at least one
 * @param within positions that matter; segments without any are not even read
 * @returns one bit a position
 */
export async function search(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): Promise<Uint32Array> {
  const { posts, search: segments } = snapshot.directory;
  const cuts = searchCuts(posts);
  const found = new Uint32Array(wordsFor(posts));
  await Promise.all(
    segments.map(async (hashes, i) => {
      const [start, end] = [cuts[i] ?? 0, cuts[i + 1] ?? 0];
      if (!within.every((positions) => holdsAny(positions, start, end))) return;
      const parts = await Promise.all(hashes.map((hash) => snapshot.read('search', hash)));
      // Cuts are multiples of 32, so a segment is a run of whole words.
      searchSegment(parts, terms, found.subarray(start >>> 5, wordsFor(end)));
    }),
  );
  return found;
}

/** Sets the bits of the segment's posts that hold every term. */
function searchSegment(parts: readonly SearchPart[], terms: readonly string[], found: Uint32Array): void {
  terms.forEach((term, i) => {
    if (i === 0) {
      for (const part of parts) addPostsWith(term, part, found);
      return;
    }
    const withTerm = new Uint32Array(found.length);
    for (const part of parts) addPostsWith(term, part, withTerm);
    for (let word = 0; word < found.length; word++) found[word]! &= withTerm[word]!;
  });
}

/** Sets the bits of the posts of each word in which the term occurs. */
function addPostsWith(
  term: string,
  { words, starts, lists, postings }: SearchPart,
  found: Uint32Array,
): void {
  let word = 0;
  for (let at = words.indexOf(term); at !== -1; at = words.indexOf(term, starts[word])) {
    word = wordAt(starts, at, word);
    for (let i = lists[word]!; i < lists[word + 1]!; i++) {
      const position = postings[i]!;
      found[position >>> 5]! |= 1 << (position & 31);
    }
    word += 1;
  }
}

/** The word that a character belongs to: steps that double, then halve, since hits come close together. */
function wordAt(starts: Uint32Array, at: number, from: number): number {
  let step = 1;
  while (from + step < starts.length && starts[from + step]! <= at) step *= 2;
  let low = from;
  let high = Math.min(from + step, starts.length - 1);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

function holdsAny(positions: Uint32Array, start: number, end: number): boolean {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < positions.length && positions[low]! < end;
}
