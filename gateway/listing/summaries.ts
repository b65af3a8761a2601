/** Summaries of articles, by position: from the pages of the blog, or from copies that are near at hand. */
import { type LineRecord, type Lines, NO_LINES } from '../../contract/lines.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { joinPieces, type Piece } from '../../contract/pieces.ts';
import { addSummary, type MoreFields } from '../../contract/records.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import { readViews } from './order.ts';

/** Lines with copies of all summaries of a page. */
export interface Copies {
  readonly hash: ObjectHash;
  /** The index of the copy of the `i`th summary. */
  readonly indexOf: (i: number) => number;
}

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
): MaybePromise<readonly Piece[]> {
  if (positions.length === 0) return [];
  const records = readRecords(snapshot, positions, copies);
  return andThen(all([readViews(snapshot, positions), records]), ([views, read]) => {
    const pieces: Piece[] = [];
    for (const [i, position] of positions.entries()) {
      if (i > 0) pieces.push(',');
      addSummary(pieces, read[i]!, views(position), more);
    }
    return pieces;
  });
}

/** The JSON texts of summaries as `GET /changes` shows them. */
export function readWholeSummaries(
  snapshot: Snapshot,
  positions: readonly number[],
): MaybePromise<readonly string[]> {
  const records = readRecords(snapshot, positions, undefined);
  return andThen(all([readViews(snapshot, positions), records]), ([views, read]) =>
    positions.map((position, i) => {
      const pieces: Piece[] = [];
      addSummary(pieces, read[i]!, views(position), 'all');
      return decoder.decode(joinPieces(pieces));
    }),
  );
}

/** The records at positions. Neighbours on a page are read together. */
function readRecords(
  snapshot: Snapshot,
  positions: readonly number[],
  copies: Copies | undefined,
): MaybePromise<readonly LineRecord[]> {
  if (copies)
    return snapshot.objects.readRecords(
      copies.hash,
      positions.map((_, i) => copies.indexOf(i)),
    );
  const reads: MaybePromise<readonly LineRecord[]>[] = [];
  for (let start = 0, end = 0; start < positions.length; start = end) {
    const page = pageOf(positions[start]!);
    while (end < positions.length && pageOf(positions[end]!) === page) end += 1;
    reads.push(readFromPage(snapshot, page, positions.slice(start, end)));
  }
  return andThen(all(reads), (records) => records.flat());
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
  return andThen(readFromPage(snapshot, pageOf(position), [position]), ([record]) =>
    decoder.decode(record?.bytes),
  );
}

/** The page of summaries that holds a position. */
export function pageOf(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

/** All summaries of a page; none if it does not exist. */
export function readPage(snapshot: Snapshot, page: number): MaybePromise<Lines> {
  const hash = snapshot.directory.pages[page];
  return hash === undefined ? NO_LINES : snapshot.read('lines', hash);
}
