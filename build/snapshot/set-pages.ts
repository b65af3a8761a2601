import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, encodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { fullPages } from '../../contract/sets.ts';
import type { ObjectStore } from './object-writer.ts';
import { batchesOf } from './parallel.ts';

/** Sets in a batch: each may have up to 50 summaries in memory that are not on a page yet. */
const SETS_PER_BATCH = 4096;

/** A set that needs summaries. */
export interface SetDraft {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** Its full pages in the last build. */
  readonly before: readonly ObjectHash[];
  /** Whether the post at a position is new, moved, or looks different. */
  readonly isChanged: (position: number, rank: number) => boolean;
}

/** The summaries of a set: the hashes of its full pages, and the texts of the others. */
export interface SetSummaries {
  readonly pages: readonly ObjectHash[];
  readonly newest: readonly string[];
}

/**
 * Makes the pages of sets (contract/sets.ts) from the pages of all summaries, which are read by position, once for
 * thousands of sets. Unchanged full pages are reused.
 *
 * @param pages of all summaries, by position
 * @returns each draft with its summaries, in batches: those of the batches before need no memory
 */
export function* makeSetPages<Draft extends SetDraft>(
  drafts: readonly Draft[],
  pages: readonly ObjectHash[],
  writer: ObjectStore,
): Generator<readonly [Draft, SetSummaries]> {
  for (const batch of batchesOf(drafts, SETS_PER_BATCH)) {
    const growing = batch.map((draft) => new GrowingPages(draft, writer));
    let read = -1;
    let summaries: readonly string[] = [];
    let last = -1;
    let summary = '';
    for (const key of readingOrder(growing)) {
      const position = Math.floor(key / SETS_PER_BATCH);
      const page = Math.floor(position / PAGE_SIZE);
      if (page !== read) summaries = decodePage(writer.read('page', pages[(read = page)] ?? ''));
      // A copy, because a substring keeps the whole text in memory: one for all sets of the post.
      if (position !== last) summary = Buffer.from(summaries[position % PAGE_SIZE] ?? '').toString();
      last = position;
      growing[key % SETS_PER_BATCH]?.add(summary);
    }
    for (const [i, draft] of batch.entries()) yield [draft, growing[i] ?? { pages: [], newest: [] }];
  }
}

/** Each wanted summary is one number: its position, then its set. Sorted, they are in reading order. */
function readingOrder(sets: readonly GrowingPages[]): Float64Array {
  const wanted = sets.map((set) => set.wanted());
  const keys = new Float64Array(wanted.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const [i, positions] of wanted.entries())
    for (const position of positions) keys[at++] = position * SETS_PER_BATCH + i;
  return keys.sort();
}

/** The pages of a set, while its summaries are added by position. */
class GrowingPages implements SetSummaries {
  readonly #positions: Uint32Array;
  readonly #writer: ObjectStore;
  readonly #stale: number[] = [];
  readonly pages: ObjectHash[];
  newest: string[] = [];

  constructor({ positions, before, isChanged }: SetDraft, writer: ObjectStore) {
    this.#positions = positions;
    this.#writer = writer;
    this.pages = Array.from({ length: fullPages(positions.length) }, (_, page) => {
      const ranks = positions.subarray(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
      const kept = ranks.some((position, i) => isChanged(position, page * PAGE_SIZE + i))
        ? undefined
        : before[page];
      if (kept === undefined) this.#stale.push(page);
      return kept ?? '';
    });
  }

  /** The positions whose summaries are needed, ascending. */
  wanted(): Uint32Array {
    const stale = new Set(this.#stale);
    return this.#positions.filter((_, rank) => {
      const page = Math.floor(rank / PAGE_SIZE);
      return page >= this.pages.length || stale.has(page);
    });
  }

  add(summary: string): void {
    this.newest.push(summary);
    if (this.newest.length < PAGE_SIZE) return;
    const page = this.#stale.shift();
    if (page === undefined) return; // The last 50 stay in the set itself.
    this.pages[page] = this.#writer.put('set_page', encodePage(this.newest));
    this.newest = [];
  }
}
