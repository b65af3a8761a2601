import { median } from '../statistics.ts';
import type { ContestantId } from './contestants.ts';
import type { ClassId } from './request-classes.ts';

/** One class of requests over a number of connections: the unit of measurement. */
export interface Lane {
  readonly id: LaneId;
  readonly name: string;
}

export type LaneId = `${ClassId}@${16 | 64}`;

/** The result of one round of one lane. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** CPU time of the server per request. */
  readonly cpuUs: number;
}

/** All rounds over one blog. */
export interface BlogResults {
  readonly posts: number;
  readonly lanes: readonly Lane[];
  readonly samples: Partial<Record<ContestantId, Partial<Record<LaneId, readonly Sample[]>>>>;
  /** Resident memory after the run. */
  readonly memoryMb: Partial<Record<ContestantId, number>>;
}

export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly pinned: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly contestants: readonly { readonly id: ContestantId; readonly name: string }[];
  readonly blogs: readonly BlogResults[];
  /** From the start of the process to the first answer; no times: not measured. */
  readonly start: { readonly posts: number; readonly ms: readonly number[] };
  /** Contestants that are not installed, faults in answers, and parts that failed. */
  readonly skipped: readonly string[];
  readonly faults: readonly string[];
}

/** The median of all rounds, for each figure; null if the contestant has no such lane. */
export function medianOf(blog: BlogResults, contestant: ContestantId, lane: LaneId): Sample | null {
  const samples = blog.samples[contestant]?.[lane] ?? [];
  if (samples.length === 0) return null;
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
  return { perSecond: of('perSecond'), p50Us: of('p50Us'), p99Us: of('p99Us'), cpuUs: of('cpuUs') };
}

/** The largest blog with all classes; undefined: there is none. */
export function mainBlog(blogs: readonly BlogResults[]): BlogResults | undefined {
  return blogs.findLast(({ lanes }) => lanes.some(({ id }) => id === 'newest@16'));
}
