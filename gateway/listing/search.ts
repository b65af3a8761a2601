import {
  clearBit,
  countBits,
  intersect,
  lastBit,
  positionsIn,
  setBit,
  wordsFor,
} from '../../contract/bitmap.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { searchedIn, searchedText } from '../../contract/search/search-text.ts';
import {
  inAll,
  indexedPosts,
  NOWHERE,
  type Occurrences,
  findObjectIndex,
} from '../../contract/search/suffix-tree.ts';
import { memoised } from '../memoised.ts';
import type { Lines } from '../../contract/lines.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { getBitmap } from './matching.ts';
import { countBelow } from './range.ts';
import { readPage, readSummary } from './summaries.ts';

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag. Indexed
 * posts take one object for each term; the newest posts are searched in their summaries. Where the index leaves a term
 * undecided, the summaries of at most LEAF_POSTS posts are checked.
 *
 * @param terms normalised, at least one
 * @param within ascending positions to search; for others the result is undefined
 * @returns one bit for each position
 */
export function search(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): MaybePromise<Uint32Array> {
  const { directory } = snapshot;
  const indexed = indexedPosts(directory.posts);
  const found = within.every((positions) => holdsAny(positions, 0, indexed))
    ? searchIndex(snapshot, terms, within)
    : undefined;
  const first = indexed / PAGE_SIZE;
  const pages = Array.from({ length: directory.pages.length - first }, (_, i) => first + i).filter((page) =>
    within.every((positions) => holdsAny(positions, page * PAGE_SIZE, (page + 1) * PAGE_SIZE)),
  );
  const read = all(pages.map((page) => readPage(snapshot, page)));
  return andThen(all([found, read]), ([inIndex, summaries]) => {
    const bits = new Uint32Array(wordsFor(directory.posts));
    if (inIndex) bits.set(inIndex);
    for (const [i, page] of summaries.entries()) {
      for (const [at, text] of searchedTexts(page).entries()) {
        if (holdsTerms(text, terms)) setBit(bits, pages[i]! * PAGE_SIZE + at);
      }
    }
    return bits;
  });
}

/** @returns one bit for each post of the index */
function searchIndex(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): MaybePromise<Uint32Array | undefined> {
  return andThen(all(terms.map((term) => findOccurrences(snapshot, term))), (occurrences) => {
    const { posts, check } = inAll(occurrences);
    if (check === 'none') return posts;
    const found = posts.slice();
    for (const positions of within) intersect(found, getBitmap(positions));
    const last = lastBit(found);
    if (last < 0) return undefined;
    // `one`: all of them have the terms, or none.
    const checked = check === 'each' ? positionsIn(found, 0, countBits(found)) : Uint32Array.of(last);
    const read = all(Array.from(checked, (position) => readSummary(snapshot, position)));
    return andThen(read, (summaries) => {
      const isIn = summaries.map((summary) => holdsTerms(toSearchedText(summary), terms));
      if (check === 'one') return isIn[0] ? found : undefined;
      for (const [i, position] of checked.entries()) if (!isIn[i]) clearBit(found, position);
      return found;
    });
  });
}

/** The occurrences of a term in the index. */
function findOccurrences(snapshot: Snapshot, term: string): MaybePromise<Occurrences> {
  const { directory } = snapshot;
  const object = directory.suffixes[findObjectIndex(directory.suffixes, term)];
  if (!object) return NOWHERE;
  return snapshot.occurrences.get(term, () =>
    andThen(snapshot.read('suffixes', object[1]), (suffixes) =>
      suffixes.find(term, indexedPosts(directory.posts)),
    ),
  );
}

function holdsTerms(text: string, terms: readonly string[]): boolean {
  return terms.every((term) => text.includes(term));
}

const toSearchedText = (summary: string): string => searchedText(searchedIn(summary));

const searchedTexts = memoised((page: Lines) => [...page].map(toSearchedText));

/** Whether a position is in [start, end). */
function holdsAny(positions: Uint32Array, start: number, end: number): boolean {
  const first = countBelow(positions, start);
  return first < positions.length && positions[first]! < end;
}
