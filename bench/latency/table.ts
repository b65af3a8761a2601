import { markdownTable } from '../../release/markdown-table.ts';
import type { FarAway } from './far-away.ts';
import { makeSkeleton, REQUEST_CLASSES, type RequestClass } from './skeleton.ts';
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

/** Requests every path of every class of a blog. @param folder for the blog; may be removed afterwards */
export async function measureCold(
  far: FarAway,
  posts: number,
  folder: string,
): Promise<Readonly<Record<RequestClass, readonly ColdRequest[]>>> {
  const skeleton = makeSkeleton(posts, folder);
  far.use(skeleton);
  const measured: Partial<Record<RequestClass, ColdRequest[]>> = {};
  for (const name of REQUEST_CLASSES) {
    const requests = (measured[name] = [] as ColdRequest[]);
    for (const path of skeleton.classes[name]) requests.push({ path, reads: await far.reads(path) });
  }
  return measured as Record<RequestClass, ColdRequest[]>; // The loop above has filled every class.
}

/** The table of docs/operators/cost.md. @param sizes the measurements for each of SIZES */
export function latencyTable(
  sizes: readonly Readonly<Record<RequestClass, readonly ColdRequest[]>>[],
): string {
  const head = [
    'first answer of a cold isolate',
    ...SIZES.map((posts) => `${posts.toLocaleString('en')} posts`),
  ];
  const rows = REQUEST_CLASSES.map((name) => [name, ...sizes.map((classes) => cellOf(classes[name]))]);
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
