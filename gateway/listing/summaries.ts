import { PAGE_SIZE, type SplitSummary } from '../../contract/pages.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readViews } from './order.ts';

/**
 * The summaries at some positions, as JSON texts with their view counts. Only the pages that hold one of
 * them are read, each once, all at the same time.
 */
export async function readSummaries(snapshot: Snapshot, positions: readonly number[]): Promise<string[]> {
  if (positions.length === 0) return [];
  const pages = new Map<number, Promise<readonly SplitSummary[]>>();
  for (const position of positions) {
    const page = Math.floor(position / PAGE_SIZE);
    if (!pages.has(page)) pages.set(page, readPage(snapshot, page));
  }
  const [views, ...loaded] = await Promise.all([readViews(snapshot), ...pages.values()]);
  const byNumber = new Map([...pages.keys()].map((page, i) => [page, loaded[i]]));
  return positions.map((position) => {
    const summary = byNumber.get(Math.floor(position / PAGE_SIZE))?.[position % PAGE_SIZE];
    if (!summary) throw new RangeError(`Snapshot ${snapshot.id} has no summary at position ${position}.`);
    return summary.head + views(position) + summary.tail;
  });
}

async function readPage(snapshot: Snapshot, page: number): Promise<readonly SplitSummary[]> {
  const hash = snapshot.directory.pages[page];
  if (hash === undefined) throw new RangeError(`Snapshot ${snapshot.id} has no page ${page} of summaries.`);
  return snapshot.read('page', hash);
}
