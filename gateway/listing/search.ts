import { type SearchPart, searchCuts } from '../../contract/search-index.ts';
import { memoised } from '../memoised.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type Soon } from '../soon.ts';
import { countBits, keepBits, wordsFor } from './position-bits.ts';
import { WordIndex } from './word-index.ts';

/** A term that is in more than one of so many posts takes long to find: it is found once a snapshot. */
const COMMON = 32;

/** Made when a part is first searched, and kept with it. */
const indexed = memoised((part: SearchPart) => new WordIndex(part));

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag
 * (design, "Filtering and searching").
 *
 * @param terms normalised, at least one
 * @param within ascending positions that matter; segments without any are not even read
 * @returns one bit a position
 */
export function search(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): Soon<Uint32Array> {
  const { posts, search: segments } = snapshot.directory;
  const cuts = searchCuts(posts);
  const wanted = segments.map((_, i) =>
    within.every((positions) => holdsAny(positions, cuts[i] ?? 0, cuts[i + 1] ?? 0)),
  );
  return andThen(all(terms.map((term) => postsWith(snapshot, term, cuts, wanted))), (withTerms) => {
    const found = new Uint32Array(wordsFor(posts)).fill(0xffffffff);
    for (const withTerm of withTerms) keepBits(found, withTerm);
    return found;
  });
}

/**
 * The posts of some segments in which a term occurs.
 *
 * @param cuts where segments begin: multiples of 32, so that each is a run of whole words of bits
 * @param wanted for each segment whether it is one of these
 * @returns one bit for each position of the blog
 */
function postsWith(
  snapshot: Snapshot,
  term: string,
  cuts: readonly number[],
  wanted: readonly boolean[],
): Soon<Uint32Array> {
  const known = snapshot.commonTerms.get(term);
  if (known) return known;

  const { posts, search: segments } = snapshot.directory;
  const found = new Uint32Array(wordsFor(posts));
  const looked = segments.map((hashes, i) =>
    wanted[i]
      ? andThen(all(hashes.map((hash) => snapshot.read('search', hash))), (parts) =>
          addPostsWith(
            parts.map((part) => indexed(part)),
            term,
            found.subarray((cuts[i] ?? 0) >>> 5, wordsFor(cuts[i + 1] ?? 0)),
          ),
        )
      : undefined,
  );
  return andThen(all(looked), () => {
    const isCommon = !wanted.includes(false) && countBits(found) * COMMON > posts;
    if (isCommon) snapshot.commonTerms.set(term, found);
    return found;
  });
}

function addPostsWith(parts: readonly WordIndex[], term: string, found: Uint32Array): void {
  const letter = parts[0]?.letter(term);
  if (letter) found.set(letter);
  else for (const part of parts) part.addPostsWith(term, found);
}

/** Whether one of the positions lies from `start` up to `end`. */
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
