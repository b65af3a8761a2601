import { markdownTable } from '../../release/markdown-table.ts';
import type { FarAway } from './far-away.ts';
import { makeSkeleton } from './skeleton.ts';
import { type FarRead, type Reading, readingOf } from './trace.ts';

/** Sizes of blogs, in posts. */
export const SIZES = [1000, 20_000, 100_000] as const;

/** Assumed durations of a bucket read and of a Durable Object call. */
const BUCKET_MS = 60;
const OBJECT_MS = 60;

/** What a cold isolate reads for a path of a class. */
export interface ColdRequest {
  readonly path: string;
  readonly reads: readonly FarRead[];
}

/** The requests of each class, by its name. */
export type ColdClasses = ReadonlyMap<string, readonly ColdRequest[]>;

/** Requests every path of every class of a blog. @param folder for the blog; may be removed afterwards */
export async function measureCold(far: FarAway, posts: number, folder: string): Promise<ColdClasses> {
  const skeleton = makeSkeleton(posts, folder);
  far.use(skeleton);
  const measured = new Map<string, ColdRequest[]>();
  for (const [name, paths] of Object.entries(skeleton.classes)) {
    const requests: ColdRequest[] = [];
    for (const path of paths) requests.push({ path, reads: await far.reads(path) });
    measured.set(name, requests);
  }
  return measured;
}

/** The table of docs/operators/cost.md. @param sizes the measurements for each of SIZES */
export function latencyTable(sizes: readonly ColdClasses[]): string {
  const head = [
    'first answer of a cold isolate',
    ...SIZES.map((posts) => `${posts.toLocaleString('en')} posts`),
  ];
  const names = [...(sizes[0]?.keys() ?? [])];
  const rows = names.map((name) => [name, ...sizes.map((classes) => cellOf(classes.get(name) ?? []))]);
  return markdownTable(head, rows);
}

/** The slowest request, and the largest number of reads. */
function cellOf(requests: readonly ColdRequest[]): string {
  const readings = requests.map(({ reads }) => readingOf(reads));
  const most = (of: (reading: Reading) => number) => Math.max(...readings.map(of));
  const kb = Math.ceil(most(({ bytes }) => bytes) / 50_000) * 50;
  return `${most(millisecondsOf)} ms; ${most(({ reads }) => reads)} reads, ${kb} kB`;
}

/** The limits are known after the first round; counting runs in parallel with the other rounds. */
function millisecondsOf({ turns }: Reading): number {
  return BUCKET_MS + Math.max(BUCKET_MS * (turns - 1), OBJECT_MS);
}
