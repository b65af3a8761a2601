import { searchCuts } from '../../contract/search-index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { wordsFor } from './position-set.ts';
import type { WordIndex } from './word-index.ts';

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag
 * (design, "Filtering and searching").
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
function searchSegment(parts: readonly WordIndex[], terms: readonly string[], found: Uint32Array): void {
  terms.forEach((term, i) => {
    const withTerm = i === 0 ? found : new Uint32Array(found.length);
    addPostsWith(parts, term, withTerm);
    if (i > 0) for (let word = 0; word < found.length; word++) found[word]! &= withTerm[word]!;
  });
}

function addPostsWith(parts: readonly WordIndex[], term: string, found: Uint32Array): void {
  const letter = parts[0]?.letter(term);
  if (letter) found.set(letter);
  else for (const part of parts) part.addPostsWith(term, found);
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
