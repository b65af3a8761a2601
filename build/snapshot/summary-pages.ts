import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import type { Excerpts } from './blog.ts';
import type { Difference } from './difference.ts';
import type { Progress } from '../../common/progress.ts';
import { batchesOf, inParallel } from './parallel.ts';
import type { Renderer } from './renderer.ts';

/** Pages in one task, and tasks in parallel. */
const PAGES_A_TASK = 40;
export const CONCURRENCY = 4;

/**
 * Pages of summaries. A page with the same posts as before, unchanged, is reused.
 *
 * @param excerptsOf descriptions from texts, for some of these posts
 * @param before the last build's directory, if there was one
 */
export async function buildPages(
  difference: Difference,
  excerptsOf: (ids: readonly number[]) => Excerpts,
  before: Directory | undefined,
  renderer: Renderer,
  progress: Progress,
): Promise<readonly ObjectHash[]> {
  const { ids } = difference;
  const isChanged = changeFinder(difference);
  const oldCuts = cutsEvery(PAGE_SIZE, before?.posts ?? 0);
  const cuts = cutsEvery(PAGE_SIZE, ids.length);
  const pages = cuts.slice(1).map((end, page): Page => {
    const start = cuts[page] ?? 0;
    const isKept = oldCuts[page + 1] === end && !isChanged(start, end);
    return { start, end, hash: isKept ? before?.pages[page] : undefined };
  });
  const stale = pages.filter(({ hash }) => hash === undefined);

  progress.begin('pages', stale.length);
  // In order: only the last page can be short, so a renderer knows where each page starts.
  await inParallel(batchesOf(stale, PAGES_A_TASK), CONCURRENCY, async (task) => {
    const posts = task.flatMap(({ start, end }) => ids.slice(start, end));
    const hashes = await renderer.pages(posts, excerptsOf(posts));
    for (const [i, page] of task.entries()) page.hash = hashes[i];
    progress.advance(task.length);
  });
  progress.end();
  return pages.map(({ start, hash }) => {
    if (hash === undefined) throw new Error(`The page of posts from ${start} on was not made.`);
    return hash;
  });
}

/** The positions of a page, and its object: of the last build, or of this one once it is rendered. */
interface Page {
  readonly start: number;
  readonly end: number;
  hash: ObjectHash | undefined;
}

/** `[0, size, 2 × size, …, length]`. */
export function cutsEvery(size: number, length: number): number[] {
  const cuts = [];
  for (let at = 0; at < length; at += size) cuts.push(at);
  return [...cuts, length];
}

/** Returns a function: whether anything changed in a range of positions. */
export function changeFinder({ from, edited }: Difference): (start: number, end: number) => boolean {
  const positions = edited.map(({ position }) => position);
  return (start, end) => end > from || positions.some((position) => position >= start && position < end);
}
