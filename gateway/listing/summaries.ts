/** Summaries as JSON texts with view counts, from the pages of the blog or of one set. */
import { type Lines, NO_LINES } from '../../contract/lines.ts';
import type { NameEntry } from '../../contract/name-table.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { type MoreFields, splitSummary, withViews } from '../../contract/records.ts';
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
  const pages = [...Map.groupBy(positions, pageOf)].map(([page, of]) => readAt(snapshot, page, of));
  return andThen(all([readViews(snapshot, positions), all(pages)]), ([views, read]) => {
    const texts = new Map(read.flat());
    return positions.map((position) => listed(texts.get(position) ?? '', views(position), more));
  });
}

/** A summary as lists show it. */
function listed(text: string, views: number, more: MoreFields): string {
  const summary = splitSummary(text);
  return withViews(summary, views, more(summary));
}

/** The summaries at positions on one page, with the positions. */
function readAt(
  snapshot: Snapshot,
  page: number,
  positions: readonly number[],
): MaybePromise<readonly (readonly [number, string])[]> {
  return readFromPage(snapshot, page, (lines) =>
    positions.map((position) => [position, summaryAt(snapshot, lines, position)] as const),
  );
}

/** The JSON text of the summary at a position. Its view count is 0. */
export function readSummary(snapshot: Snapshot, position: number): MaybePromise<string> {
  return readFromPage(snapshot, pageOf(position), (page) => summaryAt(snapshot, page, position));
}

function summaryAt({ id }: Snapshot, page: Lines, position: number): string {
  const summary = page.at(position % PAGE_SIZE);
  if (summary === undefined) throw new RangeError(`Snapshot ${id} has no summary at position ${position}.`);
  return summary;
}

/** The page of summaries that holds a position. */
function pageOf(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

/** The summaries of a page, by position; empty if the page does not exist. */
export function readPage(snapshot: Snapshot, page: number): MaybePromise<Lines> {
  const hash = snapshot.directory.pages[page];
  return hash === undefined ? NO_LINES : snapshot.read('page', hash);
}

/** Some summaries of a page. @param take as in Objects.readPart */
export function readFromPage<Part>(
  snapshot: Snapshot,
  page: number,
  take: (lines: Lines) => Part,
): MaybePromise<Part> {
  const hash = snapshot.directory.pages[page];
  return hash === undefined ? take(NO_LINES) : snapshot.readPart('page', hash, take);
}

/**
 * One page of the list by views, from the pages of the most viewed posts: one or two reads.
 *
 * @param from how many come before the page
 * @returns undefined: not all of its posts are on these pages
 */
export function readPopular(
  snapshot: Snapshot,
  from: number,
  count: number,
  more = noFields,
): MaybePromise<readonly string[]> | undefined {
  const { posts, viewed, popular_pages: pages } = snapshot.directory;
  const end = Math.min(posts, from + count);
  if (from >= end || end > Math.min(viewed, pages.length * PAGE_SIZE)) return undefined;
  const first = Math.floor(from / PAGE_SIZE);
  const needed = pages.slice(first, Math.ceil(end / PAGE_SIZE));
  return andThen(all(needed.map((hash) => snapshot.read('popular_page', hash))), (read) =>
    read
      .flatMap(({ views, summaries }) => summaries.map((text, i) => listed(text, views[i] ?? 0, more)))
      .slice(from - first * PAGE_SIZE, end - first * PAGE_SIZE),
  );
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
  const summaries = full.map((one, i) => {
    const start = (page + i) * PAGE_SIZE;
    return snapshot.readPart('set_page', one, (lines) =>
      lines.slice(Math.max(0, first - start), first + wanted - start),
    );
  });
  return andThen(all([snapshot.read('set', hash), all(summaries)]), ([set, read]) => {
    const positions = [...set.positions.subarray(first, first + wanted)];
    const inSet = pages.length * PAGE_SIZE;
    const newest = set.newest.slice(Math.max(0, first - inSet), Math.max(0, first + wanted - inSet));
    const records = [...read.flat(), ...newest];
    if (records.length !== wanted || positions.length !== wanted)
      throw new RangeError(
        `Snapshot ${snapshot.id} has no ${wanted} posts from ${first} in the set ${hash}.`,
      );
    return andThen(readViews(snapshot, positions), (views) => {
      const texts = positions.map((position, i) => listed(records[i] ?? '', views(position), more));
      return sort === 'old' ? texts : texts.reverse();
    });
  });
}
