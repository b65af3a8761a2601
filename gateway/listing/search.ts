import { indexedIn } from '../../contract/directory.ts';
import { isText, listOf, nullOr, parseJson, recordOf } from '../../contract/json.ts';
import { PAGE_SIZE, type SplitSummary } from '../../contract/pages.ts';
import { normalise } from '../../contract/search-text.ts';
import { type Occurrences, placeOf } from '../../contract/suffix-tree.ts';
import { memoised } from '../memoised.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, both, type Soon } from '../soon.ts';
import { bitsOf, countBits, keepBits, lastBit, positionsIn, wordsFor } from './position-bits.ts';
import { pageOf, readPage } from './summaries.ts';

/** The posts of a term that is in more than one of so many are kept with the snapshot. */
const COMMON = 32;

/**
 * Finds the posts in which every term occurs, inside a word of the title, the description or a tag
 * (design, "Filtering and searching"): those of the index in one object a term, the newest in their summaries. The index
 * leaves some terms open; the summaries of at most LEAF_POSTS posts settle these.
 *
 * @param terms normalised, at least one
 * @param within ascending positions that matter: of others the result says nothing
 * @returns one bit a position
 */
export function search(
  snapshot: Snapshot,
  terms: readonly string[],
  within: readonly Uint32Array[],
): Soon<Uint32Array> {
  const { directory } = snapshot;
  const indexed = indexedIn(directory);
  const found = within.every((positions) => holdsAny(positions, 0, indexed))
    ? searchIndex(snapshot, terms, within)
    : undefined;
  const pages = directory.pages
    .map((_, page) => page)
    .slice(indexed / PAGE_SIZE)
    .filter((page) =>
      within.every((positions) => holdsAny(positions, page * PAGE_SIZE, (page + 1) * PAGE_SIZE)),
    );
  const read = all(pages.map((page) => readPage(snapshot, page)));
  return andThen(both(found, read), ([inIndex, summaries]) => {
    const bits = new Uint32Array(wordsFor(directory.posts));
    if (inIndex) bits.set(inIndex);
    for (const [i, page] of summaries.entries()) {
      for (const [at, summary] of page.entries()) {
        if (holdsTerms(summary, terms)) setBit(bits, pages[i]! * PAGE_SIZE + at);
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
): Soon<Uint32Array | undefined> {
  return andThen(all(terms.map((term) => occurrencesOf(snapshot, term))), (occurrences) => {
    const [first, ...others] = occurrences;
    if (!first) return undefined;
    const found = first.posts.slice();
    for (const other of others) {
      if (!other) return undefined;
      keepBits(found, other.posts);
    }
    const isOpen = (check: Occurrences['check']) => occurrences.some((one) => one?.check === check);
    if (!isOpen('each') && !isOpen('one')) return found;

    for (const positions of within) keepBits(found, bitsOf(positions));
    const last = lastBit(found);
    if (last < 0) return undefined;
    if (!isOpen('each')) {
      return andThen(readSummary(snapshot, last), (summary) =>
        holdsTerms(summary, terms) ? found : undefined,
      );
    }
    const positions = positionsIn(found, 0, countBits(found));
    return andThen(all(positions.map((position) => readSummary(snapshot, position))), (summaries) => {
      const right = new Uint32Array(found.length);
      for (const [i, summary] of summaries.entries())
        if (holdsTerms(summary, terms)) setBit(right, positions[i]!);
      return right;
    });
  });
}

/** What the index says of a term; undefined: it occurs nowhere. */
function occurrencesOf(snapshot: Snapshot, term: string): Soon<Occurrences | undefined> {
  const known = snapshot.commonTerms.get(term);
  if (known) return known;
  const { directory } = snapshot;
  const object = directory.suffixes[placeOf(directory.suffixes, term)];
  if (!object) return undefined;
  return andThen(snapshot.read('suffixes', object[1]), (suffixes) => {
    const found = suffixes.find(term, indexedIn(directory));
    if (found && countBits(found.posts) * COMMON > directory.posts) snapshot.commonTerms.set(term, found);
    return found;
  });
}

function readSummary(snapshot: Snapshot, position: number): Soon<SplitSummary> {
  return andThen(readPage(snapshot, pageOf(position)), (page) => {
    const summary = page[position % PAGE_SIZE];
    if (!summary) throw new RangeError(`Snapshot ${snapshot.id} has no summary at position ${position}.`);
    return summary;
  });
}

function holdsTerms(summary: SplitSummary, terms: readonly string[]): boolean {
  const text = searchedText(summary);
  return terms.every((term) => text.includes(term));
}

/** The text of a post in which terms are looked for. A term has no space, so it never spans two of these texts. */
const searchedText = memoised(({ head, tail }: SplitSummary): string => {
  const { title, description, tags } = parseJson(`${head}0${tail}`, isSearched, 'a summary');
  return [title, description ?? '', ...tags].map(normalise).join(' ');
});

const isSearched = recordOf<{
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}>({ title: isText, description: nullOr(isText), tags: listOf(isText) });

function setBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5]! |= 1 << (position & 31);
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
