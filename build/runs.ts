import type { Directory } from '../contract/directory.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import { PAGE_SIZE } from '../contract/pages.ts';
import { searchCuts } from '../contract/search-index.ts';
import type { Difference } from './difference.ts';
import type { BuildProgress } from './progress.ts';
import type { Renderer } from './renderer.ts';

/** Runs rendered at once: a segment of the search index holds thousands of posts. */
const PAGES_AT_ONCE = 8;
const SEGMENTS_AT_ONCE = 2;

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

  const pageCuts = cutsEvery(PAGE_SIZE, ids.length);
  const oldPages = runsByBounds(cutsEvery(PAGE_SIZE, before?.posts ?? 0), before?.pages ?? []);
  const pages = await eachRun('pages', pageCuts, oldPages, PAGES_AT_ONCE, (run) => renderer.page(run));

  const segmentCuts = searchCuts(ids.length);
  const oldSegments = runsByBounds(searchCuts(before?.posts ?? 0), before?.search ?? []);
  const search = await eachRun('search index', segmentCuts, oldSegments, SEGMENTS_AT_ONCE, (run) =>
    renderer.segment(run),
  );
  return { pages, search };

  async function eachRun<T>(
    step: string,
    cuts: readonly number[],
    old: ReadonlyMap<string, T>,
    atOnce: number,
    render: (ids: readonly number[]) => Promise<T>,
  ): Promise<T[]> {
    progress.begin(step, cuts.length - 1);
    const made = await mapAtOnce(atOnce, cuts.slice(1), async (end, i) => {
      const start = cuts[i] ?? 0;
      const kept = isChanged(start, end) ? undefined : old.get(`${start} ${end}`);
      const run = kept ?? (await render(ids.slice(start, end)));
      progress.advance(1);
      return run;
    });
    progress.end();
    return made;
  }
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

/** A run is known by where it begins and ends. */
function runsByBounds<T extends ObjectHash | readonly ObjectHash[]>(
  cuts: readonly number[],
  runs: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(runs.map((run, i) => [`${cuts[i]} ${cuts[i + 1]}`, run]));
}

async function mapAtOnce<T, U>(
  atOnce: number,
  items: readonly T[],
  work: (item: T, i: number) => Promise<U>,
): Promise<U[]> {
  const results = new Array<U>(items.length);
  let next = 0;
  async function worker(): Promise<void> {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i];
      if (item !== undefined) results[i] = await work(item, i);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
