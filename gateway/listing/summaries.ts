/** Summaries of articles, by position: from the pages of the blog, or from copies that are near at hand. */
import { compose } from '../../contract/composing.ts';
import { decodeRecord, type LineRecord, type Lines, NO_LINES } from '../../contract/lines.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { addSummary, type MoreFields } from '../../contract/records.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { composeRecords, readOwn, type ReadRecords } from './composing.ts';
import type { Copies } from './copies.ts';
import { readViews } from './order.ts';

const decoder = new TextDecoder();

/**
 * The summaries at given positions as a list shows them, with commas between. Each page that is needed is read once, all in parallel.
 *
 * @param copies undefined: none
 */
export function readSummaries(
  snapshot: Snapshot,
  positions: readonly number[],
  more: MoreFields = 'none',
  copies?: Copies,
): MaybePromise<Uint8Array> {
  const views = readViews(snapshot, positions);
  return composeRecords(views, planReads(snapshot, positions, copies), (to, record, i, viewsAt) =>
    addSummary(to, record, viewsAt(positions[i]!), more),
  );
}

/** The JSON texts of summaries as `GET /changes` shows them. */
export async function readWholeSummaries(
  snapshot: Snapshot,
  positions: readonly number[],
): Promise<readonly string[]> {
  const reads = planReads(snapshot, positions, undefined).map(readOwn);
  const [views, records] = await Promise.all([readViews(snapshot, positions), Promise.all(reads)]);
  return records
    .flat()
    .map((record, i) => decoder.decode(compose((to) => addSummary(to, record, views(positions[i]!), 'all'))));
}

/** The records at positions. Neighbours on a page are read together. */
function planReads(
  snapshot: Snapshot,
  positions: readonly number[],
  copies: Copies | undefined,
): readonly ReadRecords[] {
  if (copies) {
    const indexes = positions.map((_, i) => copies.toIndex(i));
    return [() => snapshot.objects.readRecords(copies.hash, indexes)];
  }
  const reads: ReadRecords[] = [];
  for (let start = 0, end = 0; start < positions.length; start = end) {
    const page = pageIndex(positions[start]!);
    while (end < positions.length && pageIndex(positions[end]!) === page) end += 1;
    const some = positions.slice(start, end);
    reads.push(() => readFromPage(snapshot, page, some));
  }
  return reads;
}

/** The records at positions of one page. */
function readFromPage(
  snapshot: Snapshot,
  page: number,
  positions: readonly number[],
): MaybePromise<readonly LineRecord[]> {
  const hash = snapshot.directory.pages[page];
  if (hash === undefined)
    throw new RangeError(
      `Snapshot ${snapshot.id} has no summaries at the positions ${positions.join(', ')}.`,
    );
  return snapshot.objects.readRecords(
    hash,
    positions.map((position) => position % PAGE_SIZE),
  );
}

/** The JSON text of the summary at a position. Its view count is 0. */
export function readSummary(snapshot: Snapshot, position: number): MaybePromise<string> {
  return andThen(readFromPage(snapshot, pageIndex(position), [position]), ([record]) =>
    decodeRecord(record!),
  );
}

/** The page of summaries that holds a position. */
export function pageIndex(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

/** All summaries of a page; none if it does not exist. */
export function readPage(snapshot: Snapshot, page: number): MaybePromise<Lines> {
  const hash = snapshot.directory.pages[page];
  return hash === undefined ? NO_LINES : snapshot.read('lines', hash);
}
