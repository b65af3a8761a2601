import type { Directory } from '../contract/directory.ts';
import { PAGE_SIZE } from '../contract/pages.ts';
import { searchCuts } from '../contract/search-index.ts';
import type { Excerpts } from './blog.ts';
import type { Difference } from './difference.ts';
import type { Progress } from '../common/progress.ts';
import { batchesOf, inParallel } from './parallel.ts';
import type { Renderer } from './renderer.ts';

/** Pages rendered as one piece of work, and pieces of work at once. */
const PAGES_A_TASK = 40;
const AT_ONCE = 4;

/**
 * Objects that cover a run of positions: pages of summaries and segments of the search index. A run that
 * holds the same posts as before, looking the same, is kept.
 *
 * @param excerptsOf the descriptions that texts give to some of these posts
 * @param before the last build's directory, if there was one
 */
export async function buildRuns(
  difference: Difference,
  excerptsOf: (ids: readonly number[]) => Excerpts,
  before: Directory | undefined,
  renderer: Renderer,
  progress: Progress,
): Promise<Pick<Directory, 'pages' | 'search'>> {
  const { ids } = difference;
  const isChanged = changeFinder(difference);

  const pages = keptRuns(
    cutsEvery(PAGE_SIZE, ids.length),
    cutsEvery(PAGE_SIZE, before?.posts ?? 0),
    before?.pages,
  );
  const search = keptRuns(searchCuts(ids.length), searchCuts(before?.posts ?? 0), before?.search);
  const stalePages = pages.filter(({ kept }) => kept === undefined);
  const staleSegments = search.filter(({ kept }) => kept === undefined);

  // All at once, the large pieces first, so that no thread is left without work at the end.
  progress.begin('pages and search index', stalePages.length + staleSegments.length);
  const tasks = [
    ...staleSegments.map((run) => async () => {
      const posts = ids.slice(run.start, run.end);
      run.kept = await renderer.segment(posts, excerptsOf(posts));
      progress.advance(1);
    }),
    // In order: only the last page of all can be short, so a renderer can tell where each begins.
    ...[...batchesOf(stalePages, PAGES_A_TASK)].map((task) => async () => {
      const posts = task.flatMap(({ start, end }) => ids.slice(start, end));
      const hashes = await renderer.pages(posts, excerptsOf(posts));
      for (const [i, run] of task.entries()) run.kept = hashes[i];
      progress.advance(task.length);
    }),
  ];
  await inParallel(tasks, AT_ONCE, (task) => task());
  progress.end();
  return { pages: pages.map(madeOf), search: search.map(madeOf) };

  function keptRuns<T>(
    cuts: readonly number[],
    oldCuts: readonly number[],
    old: readonly T[] = [],
  ): Run<T>[] {
    const byBounds = new Map(old.map((run, i) => [`${oldCuts[i]} ${oldCuts[i + 1]}`, run]));
    return cuts.slice(1).map((end, i) => {
      const start = cuts[i] ?? 0;
      return { start, end, kept: isChanged(start, end) ? undefined : byBounds.get(`${start} ${end}`) };
    });
  }
}

/** A run of positions, and what it was made into: by the last build, or by this one. */
interface Run<T> {
  readonly start: number;
  readonly end: number;
  kept: T | undefined;
}

function madeOf<T>({ start, kept }: Run<T>): T {
  if (kept === undefined) throw new Error(`The run of posts from ${start} on was not made.`);
  return kept;
}

/** `[0, size, 2 × size, …, length]`. */
export function cutsEvery(size: number, length: number): number[] {
  const cuts = [];
  for (let at = 0; at < length; at += size) cuts.push(at);
  return [...cuts, length];
}

/** Whether anything in a run of positions became different. */
export function changeFinder({ from, edited }: Difference): (start: number, end: number) => boolean {
  const positions = edited.map(({ position }) => position);
  return (start, end) => end > from || positions.some((position) => position >= start && position < end);
}
