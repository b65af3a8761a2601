/**
 * The targets, and whether they are met. Each is a ratio of medians within one run, for each blog.
 */
import { median } from '../statistics.ts';
import type { ContestantId } from './contestants.ts';
import type { ClassId } from './request-classes.ts';
import { type BlogResults, type LaneId, medianOf, type Results, type Sample } from './results.ts';

/** One target on one blog. */
export interface Judgement {
  readonly bar: string;
  /** For example `0.5 or more`. */
  readonly wanted: string;
  readonly posts: number;
  /** The worst of the figures that the target covers; null: none. */
  readonly value: number | null;
  /** The value as text. */
  readonly measured: string;
  readonly passes: boolean | null;
}

interface Bar {
  readonly bar: string;
  readonly least?: number;
  readonly most?: number;
  readonly unit?: string;
  readonly digits?: number;
  /** The blogs that it covers; default: all. */
  readonly posts?: number;
  /** The figures that it covers; null: not measured. */
  figures(blog: BlogResults): readonly (number | null)[];
}

const BOTH = ['newest', 'article'] as const satisfies readonly ClassId[];

const BARS: readonly Bar[] = [
  faster('newest list and article, against bare `node:http` with the same bytes', 0.5, 'bare', ...BOTH),
  faster('newest list, against Fastify + SQLite live', 8, 'live', 'newest'),
  faster('article, against the same', 5, 'live', 'article'),
  faster('list and article, against Fastify + SQLite with a response cache', 1.6, 'cached', ...BOTH),
  faster('search, warm, any word, against Fastify + SQLite live', 12, 'live', 'rare', 'common'),
  faster('search, cold (each query new), any word, against the same', 3, 'live', 'rareCold', 'commonCold'),
  {
    bar: "p99 at 64 connections, against bare `node:http`'s",
    most: 2,
    figures: (blog) => BOTH.map((id) => ratio(blog, 'bare', `${id}@64`, 'p99Us')),
  },
  {
    bar: 'a refused request, against an answered one',
    least: 1,
    figures: (blog) => {
      const [refused, answered] = [medianOf(blog, 'ours', 'refused@16'), medianOf(blog, 'ours', 'newest@16')];
      return [refused && answered && refused.perSecond / answered.perSecond];
    },
  },
  {
    bar: 'resident memory after the run',
    ...{ most: 180, unit: ' MB', digits: 0, posts: 10_000 },
    figures: ({ memoryMb }) => [memoryMb.ours ?? null],
  },
];

const START_MS = 300;

/** Every target on every blog that it covers, in order; the start comes last. */
export function judge({ blogs, start }: Results): Judgement[] {
  const judgements = BARS.flatMap((bar) =>
    blogs
      .filter(({ posts }) => bar.posts === undefined || bar.posts === posts)
      .map((blog) => judgeOne(bar, blog.posts, bar.figures(blog))),
  );
  const first: Bar = {
    bar: 'from process start to the first answer',
    most: START_MS,
    unit: ' ms',
    digits: 0,
    figures: () => [],
  };
  return [...judgements, judgeOne(first, start.posts, [start.ms.length === 0 ? null : median(start.ms)])];
}

function judgeOne(
  { bar, least, most, unit = '', digits = 2 }: Bar,
  posts: number,
  figures: readonly (number | null)[],
): Judgement {
  const known = figures.filter((figure) => figure !== null);
  const value = known.length === 0 ? null : least === undefined ? Math.max(...known) : Math.min(...known);
  const measured =
    known.length === 0 ? 'not measured' : known.map((each) => each.toFixed(digits) + unit).join(', ');
  const wanted = least === undefined ? `at most ${most}${unit}` : `${least} or more`;
  const passes = value === null ? null : least === undefined ? value <= (most ?? Infinity) : value >= least;
  return { bar, wanted, posts, value, measured, passes };
}

/** Offprint answers at least `least` times as many requests as the contestant, in each class. */
function faster(bar: string, least: number, contestant: ContestantId, ...ids: readonly ClassId[]): Bar {
  return { bar, least, figures: (blog) => ids.map((id) => ratio(blog, contestant, `${id}@16`)) };
}

/** Offprint ÷ the other. */
function ratio(
  blog: BlogResults,
  contestant: ContestantId,
  lane: LaneId,
  figure: keyof Sample = 'perSecond',
): number | null {
  const [ours, theirs] = [medianOf(blog, 'ours', lane), medianOf(blog, contestant, lane)];
  return ours && theirs && ours[figure] / theirs[figure];
}
