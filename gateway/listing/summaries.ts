import type { ObjectHash } from '../../contract/object-name.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, both, type Soon } from '../soon.ts';
import { readViews } from './order.ts';

/**
 * The summaries at some positions, as JSON texts with their view counts. Only the pages that hold one of
 * them are read, each once, all at the same time.
 */
export function readSummaries(snapshot: Snapshot, positions: readonly number[]): Soon<readonly string[]> {
  if (positions.length === 0) return [];
  const numbers = [...new Set(positions.map(pageOf))];
  const hashes = numbers.map((page) => hashOf(snapshot, page));
  const pages = all(hashes.map((hash) => snapshot.read('page', hash)));
  return andThen(both(readViews(snapshot, positions), pages), ([views, read]) =>
    positions.map((position) => {
      const summary = read[numbers.indexOf(pageOf(position))]?.[position % PAGE_SIZE];
      if (!summary) throw new RangeError(`Snapshot ${snapshot.id} has no summary at position ${position}.`);
      return summary.head + views(position) + summary.tail;
    }),
  );
}

function pageOf(position: number): number {
  return Math.floor(position / PAGE_SIZE);
}

function hashOf(snapshot: Snapshot, page: number): ObjectHash {
  const hash = snapshot.directory.pages[page];
  if (hash === undefined) throw new RangeError(`Snapshot ${snapshot.id} has no page ${page} of summaries.`);
  return hash;
}
