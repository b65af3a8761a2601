import type { ObjectHash } from '../../contract/object-name.ts';
import { searchCuts } from '../../contract/search-index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import { countBits, wordsFor } from './position-set.ts';
import type { WordIndex } from './word-index.ts';

/** A term that is in more than one of so many posts takes long to find: it is found once a snapshot. */
const COMMON = 32;

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag
 * (design, "Filtering and searching").
 *
 * @param terms normalised, at least one
 * @param within positions that matter; segments without any are not even read
 * @returns one bit a position
 */
export function search(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): Soon<Uint32Array> {
  const segments = segmentsOf(snapshot).filter(({ start, end }) =>
    within.every((positions) => holdsAny(positions, start, end)),
  );
  return andThen(all(terms.map((term) => postsWith(snapshot, term, segments))), (withTerms) => {
    const found = new Uint32Array(wordsFor(snapshot.directory.posts)).fill(0xffffffff);
    for (const withTerm of withTerms) {
      for (let word = 0; word < found.length; word++) found[word]! &= withTerm[word]!;
    }
    return found;
  });
}

/** A run of positions with an index of its own. Cuts are multiples of 32, so it is a run of whole words of bits. */
interface Segment {
  readonly start: number;
  readonly end: number;
  /** Of the parts of its index. */
  readonly hashes: readonly ObjectHash[];
}

function segmentsOf({ directory: { posts, search: segments } }: Snapshot): Segment[] {
  const cuts = searchCuts(posts);
  return segments.map((hashes, i) => ({ start: cuts[i] ?? 0, end: cuts[i + 1] ?? 0, hashes }));
}

/** The posts of some segments in which a term occurs; one bit for each position of the blog. */
function postsWith(snapshot: Snapshot, term: string, segments: readonly Segment[]): Soon<Uint32Array> {
  const { posts, search: whole } = snapshot.directory;
  const known = snapshot.commonTerms.get(term);
  if (known) return known;

  const found = new Uint32Array(wordsFor(posts));
  const looked = segments.map(({ start, end, hashes }) =>
    andThen(all(hashes.map((hash) => snapshot.read('search', hash))), (parts) =>
      addPostsWith(parts, term, found.subarray(start >>> 5, wordsFor(end))),
    ),
  );
  return andThen(all(looked), () => {
    const isCommon = segments.length === whole.length && countBits(found) * COMMON > posts;
    if (isCommon) snapshot.commonTerms.set(term, found);
    return found;
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
