/**
 * The targets, and whether they are met. Ratios are of medians within one run, of processor time unless they say otherwise.
 */
import { median } from '../statistics.ts';
import type { ContestantId } from './contestants.ts';
import type { ClassId } from './request-classes.ts';
import { type BlogResults, type LaneId, medianOf, type Results, type Sample } from './results.ts';

/** One target on one blog. */
export interface Judgement {
  readonly bar: string;
  /** For example `at most 2`. */
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
  readonly most: number;
  readonly unit?: string;
  readonly digits?: number;
  /** The blogs that it covers; default: all. */
  readonly posts?: number;
  /** The figures that it covers; null: not measured. */
  figures(blog: BlogResults): readonly (number | null)[];
}

const BOTH = ['newest', 'article'] as const satisfies readonly ClassId[];

const BARS: readonly Bar[] = [
  cpu('cached newest list and article, against tuned `node:http`', 1.15, 'tuned', ...BOTH),
  cpu('newest list, against Fastify + SQLite', 0.4, 'live', 'newest'),
  cpu('one article, against the same', 0.6, 'live', 'article'),
  cpu('mixed lists (each new), against the same', 2, 'live', 'mixed'),
  cpu('search, rare and common (each new), against the same', 2, 'live', 'rareCold', 'commonCold'),
  within('refused request (429) and unknown key (401), against an answered request', 1, 'newest', [
    'refused',
    'unknown',
  ]),
  {
    ...within('articles at random, four times the cache, against one article', 2, 'article', ['articles']),
    posts: 100_000,
  },
  {
    bar: "p99 at 64 connections, against tuned `node:http`'s",
    most: 2,
    figures: (blog) => BOTH.map((id) => ratio(blog, 'tuned', `${id}@64`, 'p99Us')),
  },
  {
    bar: 'resident memory after the run',
    ...{ most: 180, unit: ' MB', digits: 0, posts: 10_000 },
    figures: ({ memoryMb }) => [memoryMb.ours ?? null],
  },
];

const START_MS = 300;

/** Every target on every blog that it covers and that was asked for it, in order; the start comes last. */
export function judge({ blogs, start }: Results): Judgement[] {
  const judgements = BARS.flatMap((bar) => {
    const all = blogs
      .filter(({ posts }) => bar.posts === undefined || bar.posts === posts)
      .map((blog) => judgeOne(bar, blog.posts, bar.figures(blog)));
    const measured = all.filter(({ passes }) => passes !== null);
    return measured.length > 0 ? measured : all.slice(0, 1);
  });
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
  { bar, most, unit = '', digits = 2 }: Bar,
  posts: number,
  figures: readonly (number | null)[],
): Judgement {
  const known = figures.filter((figure) => figure !== null);
  const value = known.length === 0 ? null : Math.max(...known);
  const text = (figure: number | null) => (figure === null ? '–' : figure.toFixed(digits) + unit);
  const measured = known.length === 0 ? 'not measured' : figures.map(text).join(', ');
  return {
    bar,
    wanted: `at most ${most}${unit}`,
    posts,
    value,
    measured,
    passes: value === null ? null : value <= most,
  };
}

/** The processor time of an answer, ours ÷ the contestant's, in each class. */
function cpu(bar: string, most: number, contestant: ContestantId, ...ids: readonly ClassId[]): Bar {
  return { bar, most, figures: (blog) => ids.map((id) => ratio(blog, contestant, `${id}@16`, 'cpuUs')) };
}

/** Our processor time of an answer in each class ÷ that in another. */
function within(bar: string, most: number, other: ClassId, ids: readonly ClassId[]): Bar {
  const figure = (blog: BlogResults, id: ClassId) => medianOf(blog, 'ours', `${id}@16`)?.cpuUs;
  return {
    ...{ bar, most },
    figures: (blog) =>
      ids.map((id) => {
        const [one, base] = [figure(blog, id), figure(blog, other)];
        return one !== undefined && base !== undefined ? one / base : null;
      }),
  };
}

/** Offprint ÷ the other; null: not measured. */
export function ratio(
  blog: BlogResults,
  contestant: ContestantId,
  lane: LaneId,
  figure: keyof Sample,
): number | null {
  const [ours, theirs] = [medianOf(blog, 'ours', lane), medianOf(blog, contestant, lane)];
  return ours && theirs && ours[figure] / theirs[figure];
}
