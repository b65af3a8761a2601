/**
 * The results as Markdown: `bench/RESULTS.md`, and the README's part of it.
 */
import { markdownTable as table } from '../markdown-table.ts';
import { median } from '../statistics.ts';
import type { ContestantId } from './contestants.ts';
import { judge, type Judgement, ratio } from './judge.ts';
import { type BlogResults, mainBlog, medianOf, type Results, type Sample } from './results.ts';

export const README_BEGIN = '<!-- bench:begin -->';
export const README_END = '<!-- bench:end -->';

/** The whole of RESULTS.md. @param chart its path, relative to the page */
export function resultsPage(results: Results, chart: string): string {
  const { date, machine, versions, pinned, rounds, seconds, blogs, skipped, faults } = results;
  return [
    '# Speed, measured',
    'Written by `npm run bench`, which [README.md](README.md) explains. Do not edit.',
    judgementTable(judge(results)),
    'Ratios are of medians in this run: ours ÷ the other, of processor time for an answer unless they say otherwise. Several\n' +
      'figures are in the order of the words in front; the worst counts.',
    ...blogs.flatMap(losses),
    `![Requests per second](${chart})`,
    ...blogs.map(blogSection),
    ...startLine(results),
    '## How',
    list([
      date,
      machine,
      versions,
      `${rounds} rounds of ${seconds} s for each figure, 16 connections where nothing else is said, contestants in turn`,
      pinned ? 'the server on core 0, wrk on core 1, for all alike' : 'server and wrk on any core',
      ...skipped,
    ]),
    faults.length === 0
      ? 'All answers were right: status, body or data, and the count afterwards.'
      : `Wrong answers, and parts that failed:\n\n${list(faults)}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** The README's part: the chart, and the main rows for the main blog. */
export function readmePart(
  { blogs, contestants, date, machine }: Results,
  chart: string,
  page: string,
): string {
  const blog = mainBlog(blogs);
  if (!blog) return '';
  const lanes = blog.lanes.filter(({ id }) => README_LANES.has(id));
  const rows = contestants.map(({ id, name }) => [
    name,
    ...lanes.map((lane) => perSecond(medianOf(blog, id, lane.id))),
  ]);
  return [
    `![Requests per second, ours and others](${chart})`,
    `Requests per second, one process, a blog of ${number(blog.posts)} posts:`,
    table(['', ...lanes.map(({ name }) => name)], rows),
    `${machine}, ${date}. Compare the ratios. [The results](${page}) also show where Offprint needs more processor time.`,
  ].join('\n\n');
}

const README_LANES: ReadonlySet<string> = new Set([
  'newest@16',
  'refused@16',
  'article@16',
  'articles@16',
  'mixed@16',
  'commonCold@16',
]);

/** Replaces the text between the markers. @throws if they are missing */
export function fillIn(readme: string, part: string): string {
  const [begin, end] = [readme.indexOf(README_BEGIN), readme.indexOf(README_END)];
  if (begin === -1 || end < begin) throw new Error(`README.md lacks ${README_BEGIN} and ${README_END}.`);
  return `${readme.slice(0, begin + README_BEGIN.length)}\n\n${part}\n\n${readme.slice(end)}`;
}

function judgementTable(judgements: readonly Judgement[]): string {
  return table(
    ['', 'wanted', 'posts', 'measured', ''],
    judgements.map(({ bar, wanted, posts, measured, passes }) => [
      ...[bar, wanted, number(posts), measured],
      passes === null ? '–' : passes ? '✓' : '**✗**',
    ]),
  );
}

function blogSection(blog: BlogResults): string {
  const ids = (Object.keys(SHORT) as ContestantId[]).filter((id) => blog.samples[id]);
  const section = (title: string, columns: readonly ContestantId[], cell: Cell) => [
    `### ${title}`,
    table(
      ['', ...columns.map((id) => SHORT[id])],
      blog.lanes.map(({ id: lane, name }) => {
        const ours = medianOf(blog, 'ours', lane);
        const samples = columns.map((id) => medianOf(blog, id, lane));
        return [name, ...samples.map((sample) => (ours && sample ? cell(sample, ours) : ''))];
      }),
    ),
  ];
  const others = ids.filter((id) => id !== 'ours');
  return [
    `## ${number(blog.posts)} posts`,
    ...section('Requests per second', ids, perSecond),
    ...section(
      'Latency: median, 99th percentile',
      ids,
      ({ p50Us, p99Us }) => `${ms(p50Us)}, ${ms(p99Us)} ms`,
    ),
    ...section('Processor time for an answer', ids, ({ cpuUs }) => `${cpuUs.toFixed(1)} µs`),
    ...section('Processor time, ours ÷ theirs', others, (theirs, ours) =>
      (ours.cpuUs / theirs.cpuUs).toFixed(2),
    ),
    '### Memory after the run',
    table(
      ids.map((id) => SHORT[id]),
      [ids.map((id) => `${blog.memoryMb[id]?.toFixed(0) ?? ''} MB`)],
    ),
  ].join('\n\n');
}

/** Smaller differences are noise. */
const CHEAPER = 1.05;

/** Where Offprint needs more processor time than another contestant, worst first; empty: nowhere. */
function losses(blog: BlogResults): string[] {
  const lines = (Object.keys(SHORT) as ContestantId[]).flatMap((id) => {
    if (id === 'ours') return [];
    const worse = blog.lanes
      .map(({ id: lane, name }) => ({ name, times: ratio(blog, id, lane, 'cpuUs') ?? 0 }))
      .filter(({ times }) => times > CHEAPER)
      .sort((a, b) => b.times - a.times)
      .map(({ name, times }) => `${name} ${times.toFixed(1)}`);
    const what = SHORT[id] + (id === 'nginx' ? ' (static files; a restart loses its counts)' : '');
    return worse.length === 0 ? [] : [`- ${what}: ${worse.join('; ')}`];
  });
  return lines.length === 0
    ? []
    : [
        `With ${number(blog.posts)} posts, Offprint needs more processor time for an answer, by these factors, than`,
        lines.join('\n'),
      ];
}

type Cell = (sample: Sample, ours: Sample) => string;

function startLine({ start: { posts, ms } }: Results): string[] {
  if (ms.length === 0) return [];
  const times = [...ms].sort((a, b) => a - b).map((each) => each.toFixed(0));
  return [
    `First answer ${median(ms).toFixed(0)} ms after the start of the process, ${number(posts)} posts (of ${times.join(', ')}).`,
  ];
}

const SHORT: Readonly<Record<ContestantId, string>> = {
  ours: 'Offprint',
  tuned: '`node:http`, tuned',
  live: 'Fastify + SQLite',
  nginx: 'nginx with Lua',
};

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function perSecond(sample: Sample | null): string {
  return sample ? number(sample.perSecond) : '';
}

function ms(us: number): string {
  return (us / 1000).toFixed(2);
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}
