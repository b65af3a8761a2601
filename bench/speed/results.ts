import { median } from '../median.ts';
import type { ContestantId } from './contestants.ts';
import type { ClassId } from './request-classes.ts';

/** One class of requests over a number of connections: what is measured at a time. */
export interface Lane {
  readonly id: LaneId;
  readonly name: string;
}

export type LaneId = `${ClassId}@${16 | 64}`;

/** What one round found of one lane. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** Processor time of the server for a request. */
  readonly cpuUs: number;
}

/** All rounds over one blog. */
export interface BlogResults {
  readonly posts: number;
  readonly lanes: readonly Lane[];
  readonly samples: Partial<Record<ContestantId, Partial<Record<LaneId, readonly Sample[]>>>>;
  /** Resident after the run. */
  readonly memoryMb: Partial<Record<ContestantId, number>>;
  readonly kills: readonly Kill[];
}

/** One `kill -9` under full load. */
export interface Kill {
  readonly answers: number;
  readonly counted: number;
}

/** The Worker in workerd, and the trivial one. */
export interface WorkerResults {
  readonly ours: readonly Sample[];
  readonly trivial: readonly Sample[];
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
  /** From the start of the process to the first answer; no times where it was not measured. */
  readonly start: { readonly posts: number; readonly ms: readonly number[] };
  /** Null where there is no Worker, or it was not measured. */
  readonly worker: WorkerResults | null;
  /** Contestants that are not installed; what was wrong with answers, and parts that failed. */
  readonly skipped: readonly string[];
  readonly faults: readonly string[];
}

/** The median of all rounds, each figure on its own; null where the contestant has no such lane. */
export function medianOf(blog: BlogResults, contestant: ContestantId, lane: LaneId): Sample | null {
  const samples = blog.samples[contestant]?.[lane] ?? [];
  if (samples.length === 0) return null;
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
  return { perSecond: of('perSecond'), p50Us: of('p50Us'), p99Us: of('p99Us'), cpuUs: of('cpuUs') };
}

/** The most requests that were answered and, after a `kill -9`, not counted. */
export function lostIn(kills: readonly Kill[]): number {
  return Math.max(0, ...kills.map(({ answers, counted }) => answers - counted));
}
