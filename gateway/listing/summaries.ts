/** Summaries as JSON texts with view counts, from the pages of the blog or of one set. */
import type { NameEntry } from '../../contract/name-table.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { type MoreFields, type SplitSummary, withViews } from '../../contract/records.ts';
import type { SetPages } from '../../contract/sets.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { readViews } from './order.ts';

/** Lists have no further fields by default. */
const noFields: MoreFields = () => '';

/** The summaries at given positions. Each page that is needed is read once, all in parallel. */
export function readSummaries(
  snapshot: Snapshot,
  positions: readonly number[],
  more = noFields,
): MaybePromise<readonly string[]> {
  if (positions.length === 0) return [];
  const numbers = [...new Set(positions.map(pageOf))];
  const pages = all(numbers.map((page) => readPage(snapshot, page)));
  return andThen(all([readViews(snapshot, positions), pages]), ([views, read]) =>
    positions.map((position) => {
      const summary = summaryAt(snapshot, read[numbers.indexOf(pageOf(position))], position);
      return withViews(summary, views(position), more(summary));
    }),
  );
}

/** The summary at a position, without its view count. */
export function readSummary(snapshot: Snapshot, position: number): MaybePromise<SplitSummary> {
  return andThen(readPage(snapshot, pageOf(position)), (page) => summaryAt(snapshot, page, position));
}

function summaryAt({ id }: Snapshot, page: readonly SplitSummary[] | undefined, position: number) {
  const summary = page?.[position % PAGE_SIZE];
  if (!summary) throw new RangeError(`Snapshot ${id} has no summary at position ${position}.`);
  return summary;
}

/** The page of summaries that holds a position. */
function pageOf(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

/** The summaries of a page, by position; empty if the page does not exist. */
export function readPage(snapshot: Snapshot, page: number): MaybePromise<readonly SplitSummary[]> {
  const hash = snapshot.directory.pages[page];
  return hash === undefined ? [] : snapshot.read('page', hash);
}

/**
 * One page of a set's list, from the set's own pages: three reads in parallel, then the view counts. On the pages of the
 * blog, its posts could be on fifty.
 *
 * @param hash of the set
 * @param from how many come before the page
 */
export function readSetPage(
  snapshot: Snapshot,
  hash: NameEntry[1],
  { size, pages }: SetPages,
  sort: 'new' | 'old',
  from: number,
  count: number,
  more = noFields,
): MaybePromise<readonly string[]> {
  if (from >= size) return [];
  const wanted = Math.min(count, size - from);
  const first = sort === 'old' ? from : size - from - wanted;
  const page = Math.floor(first / PAGE_SIZE);
  const full = pages.slice(page, Math.ceil((first + wanted) / PAGE_SIZE));
  const read = all([snapshot.read('set', hash), all(full.map((one) => snapshot.read('set_page', one)))]);
  return andThen(read, ([set, summaries]) => {
    const known = [...summaries.flat(), ...(page + full.length === pages.length ? set.newest : [])];
    const positions = [...set.positions.subarray(first, first + wanted)];
    return andThen(readViews(snapshot, positions), (views) => {
      const texts = Array.from({ length: wanted }, (_, i) => {
        const summary = known[first + i - page * PAGE_SIZE];
        const position = positions[i];
        if (!summary || position === undefined)
          throw new RangeError(`Snapshot ${snapshot.id} has no post ${first + i} in the set ${hash}.`);
        return withViews(summary, views(position), more(summary));
      });
      return sort === 'old' ? texts : texts.reverse();
    });
  });
}
