import type { Directory } from '../contract/directory.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import { PAGE_SIZE } from '../contract/pages.ts';
import { searchCuts } from '../contract/search-index.ts';
import type { Difference } from './difference.ts';
import type { BuildProgress } from './progress.ts';
import type { Renderer } from './renderer.ts';

/** Pages rendered as one piece of work, and pieces of work at once. */
const PAGES_A_TASK = 40;
const AT_ONCE = 4;

/**
 * Objects that cover a run of positions: pages of summaries and segments of the search index. A run that
 * holds the same posts as before, looking the same, is kept.
 *
 * @param before the last build's directory, if there was one
 */
export async function buildRuns(
  difference: Difference,
  before: Directory | undefined,
  renderer: Renderer,
  progress: BuildProgress,
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
      run.kept = await renderer.segment(ids.slice(run.start, run.end));
      progress.advance(1);
    }),
    ...tasksOf(stalePages).map((task) => async () => {
      const hashes = await renderer.pages(task.flatMap(({ start, end }) => ids.slice(start, end)));
      for (const [i, run] of task.entries()) run.kept = hashes[i];
      progress.advance(task.length);
    }),
  ];
  await eachAtOnce(tasks, (task) => task());
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

/** In order: only the last page of all can be short, so a renderer can tell where each begins. */
function tasksOf(pages: readonly Run<ObjectHash>[]): Run<ObjectHash>[][] {
  const tasks: Run<ObjectHash>[][] = [];
  for (let at = 0; at < pages.length; at += PAGES_A_TASK) tasks.push(pages.slice(at, at + PAGES_A_TASK));
  return tasks;
}

/** `[0, size, 2 × size, …, length]`. */
export function cutsEvery(size: number, length: number): number[] {
  const cuts = [];
  for (let at = 0; at < length; at += size) cuts.push(at);
  return [...cuts, length];
}

/** Whether anything in a run of positions became different. */
function changeFinder({ from, edited }: Difference): (start: number, end: number) => boolean {
  const positions = edited.map(({ position }) => position);
  return (start, end) => end > from || positions.some((position) => position >= start && position < end);
}

async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  async function worker(): Promise<void> {
    for (const item of waiting) await work(item);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
