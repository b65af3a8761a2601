import { hasBit, intersect, lastBit, positionsIn, setBit, wordsFor } from '../../contract/bitmap.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { searchedIn, searchedText } from '../../contract/search/search-text.ts';
import { indexedPosts, NOWHERE, type Occurrences, placeOf } from '../../contract/search/suffix-tree.ts';
import { memoised } from '../memoised.ts';
import type { Lines } from '../../contract/lines.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { bitsOf } from './matching.ts';
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
  return andThen(all(terms.map((term) => occurrencesOf(snapshot, term))), (occurrences) => {
    const [first, ...others] = occurrences;
    if (!first || occurrences.some(({ count }) => count === 0)) return undefined;
    const isOpen = (check: Occurrences['check']) => occurrences.some((one) => one.check === check);
    if (isOpen('each')) return verified(snapshot, terms, within, occurrences);
    if (others.length === 0 && first.check === 'none') return first.posts;
    const found = first.posts.slice();
    for (const other of others) intersect(found, other.posts);
    if (!isOpen('one')) return found;

    for (const positions of within) intersect(found, bitsOf(positions));
    const last = lastBit(found);
    if (last < 0) return undefined;
    return andThen(readSummary(snapshot, last), (summary) =>
      holdsTerms(textOf(summary), terms) ? found : undefined,
    );
  });
}

/** The posts of all terms if one of them is undecided: the few candidates are read. */
function verified(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
  occurrences: readonly Occurrences[],
): MaybePromise<Uint32Array> {
  const fewest = occurrences.reduce((a, b) => (b.count < a.count ? b : a));
  const tests = [...occurrences.map(({ posts }) => posts), ...within.map((positions) => bitsOf(positions))];
  const positions = [...positionsIn(fewest.posts, 0, fewest.count)].filter((position) =>
    tests.every((bits) => hasBit(bits, position)),
  );
  return andThen(all(positions.map((position) => readSummary(snapshot, position))), (summaries) => {
    const found = new Uint32Array(fewest.posts.length);
    for (const [i, summary] of summaries.entries())
      if (holdsTerms(textOf(summary), terms)) setBit(found, positions[i]!);
    return found;
  });
}

/** The occurrences of a term in the index. */
function occurrencesOf(snapshot: Snapshot, term: string): MaybePromise<Occurrences> {
  const { directory } = snapshot;
  const object = directory.suffixes[placeOf(directory.suffixes, term)];
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

const textOf = (summary: string): string => searchedText(searchedIn(summary));

const searchedTexts = memoised((page: Lines) => [...page].map(textOf));

/** Whether a position is in [start, end). */
function holdsAny(positions: Uint32Array, start: number, end: number): boolean {
  const first = countBelow(positions, start);
  return first < positions.length && positions[first]! < end;
}
