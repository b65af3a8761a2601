/**
 * The pure functions of `npm run bench`: wrk's output, faults, medians, targets, tables.
 */
import { describe, expect, it } from 'vitest';
import { chartOf } from '../../bench/speed/chart.ts';
import { faultsOfLoad, type Expected } from '../../bench/speed/check.ts';
import { judge } from '../../bench/speed/judge.ts';
import { ticksOf } from '../../bench/process-usage.ts';
import { fillIn, readmePart, resultsPage } from '../../bench/speed/report.ts';
import {
  type BlogResults,
  mainBlog,
  medianOf,
  type Results,
  type Sample,
} from '../../bench/speed/results.ts';
import { parseWrk, WrkFailed } from '../../bench/speed/wrk.ts';

/** wrk's output with the line that the script adds. */
const OUTPUT = `Running 1s test @ http://127.0.0.1:40123/api/public/v1/posts
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   386.43us    0.94ms  17.91ms   97.57%
    Req/Sec    53.94k     9.37k   60.52k    81.82%
  58972 requests in 1.10s, 574.41MB read
Requests/sec:  53623.91
Transfer/sec:    522.31MB

result {"requests":58972,"bytes":602311008,"us":1099733,"statusErrors":0,"socketErrors":0,"wrong":0,"p50":266,"p99":3501}
`;

describe("wrk's output", () => {
  it("is read from the script's line", () => {
    expect(parseWrk(OUTPUT)).toEqual({
      ...{ requests: 58_972, bytes: 602_311_008, us: 1_099_733 },
      ...{ statusErrors: 0, socketErrors: 0, wrong: 0, p50: 266, p99: 3501 },
    });
  });

  it('is rejected without that line, or with other fields', () => {
    expect(() => parseWrk('unable to connect to 127.0.0.1:1 Connection refused')).toThrow(WrkFailed);
    expect(() => parseWrk('result {"requests":1}')).toThrow();
  });
});

describe('the CPU time of a process', () => {
  it('is user and system time, including ended children, whatever the process is called', () => {
    const stat = '77 (a) b (c) R 1 77 77 0 -1 4194560 90 0 0 0 120 30 7 3 20 0 11 0 5';
    expect(ticksOf(stat)).toBe(120 + 30 + 7 + 3);
  });
});

describe('faults of a measurement', () => {
  const load = parseWrk(OUTPUT);
  const expected: Expected = {
    ...{ status: 200, asker: 'reader', connections: 16 },
    ...{ bytes: 10_213, counted: load.requests },
  };

  it('are none if all is right', () => {
    expect(faultsOfLoad(load, expected)).toEqual([]);
    expect(faultsOfLoad(load, { ...expected, counted: load.requests + 16 })).toEqual([]);
    expect(faultsOfLoad(load, { ...expected, bytes: null, counted: -1 })).toEqual([]);
  });

  it.each([
    ['a request that was not counted', {}, { counted: load.requests - 1 }],
    ['one that was counted and never sent', {}, { counted: load.requests + 17 }],
    ['answers of another size', {}, { bytes: 10_300 }],
    ['an error', { statusErrors: 1 }, {}],
    [
      'a refused request that was counted',
      { statusErrors: load.requests },
      { status: 429, asker: 'exhausted', counted: 1 },
    ],
    ['an answer that should be refused', { statusErrors: load.requests - 1 }, { status: 401 }],
    ['a broken connection', { socketErrors: 1 }, {}],
    ['another body', { wrong: 1 }, {}],
    ['no answers', { requests: 0, bytes: 0 }, { bytes: null, counted: 0 }],
  ] as const)('name %s', (_, found, wanted) => {
    expect(faultsOfLoad({ ...load, ...found }, { ...expected, ...wanted })).toHaveLength(1);
  });
});

const sample = (perSecond: number, p99Us = 1000): Sample => ({
  perSecond,
  p99Us,
  p50Us: 300,
  cpuUs: 1e6 / perSecond,
});

const blog: BlogResults = {
  posts: 10_000,
  lanes: [
    { id: 'newest@16', name: 'newest list' },
    { id: 'article@16', name: 'article' },
    { id: 'newest@64', name: 'newest list, 64 connections' },
    { id: 'refused@16', name: 'refused (429)' },
    { id: 'unknown@16', name: 'unknown key (401)' },
  ],
  samples: {
    ours: {
      'newest@16': [sample(40_000), sample(10), sample(90_000)],
      'article@16': [sample(30_000)],
      'newest@64': [sample(40_000, 2500)],
      'refused@16': [sample(50_000)],
      'unknown@16': [sample(39_900)],
    },
    tuned: {
      'newest@16': [sample(45_000)],
      'article@16': [sample(36_000)],
      'newest@64': [sample(80_000, 1000)],
    },
    live: { 'newest@16': [sample(4000)] },
  },
  memoryMb: { ours: 180.4, tuned: 60 },
};
const results: Results = {
  ...{ date: '2026-05-01', machine: 'a machine', versions: 'versions', pinned: true, rounds: 3, seconds: 2 },
  contestants: [
    { id: 'ours', name: 'Offprint' },
    { id: 'tuned', name: '`node:http`, tuned' },
    { id: 'live', name: 'Fastify' },
  ],
  blogs: [blog],
  start: { posts: 100_000, ms: [310, 280, 290] },
  ...{ skipped: ['nginx is not installed'], faults: [] },
};

describe('medians', () => {
  it('cover all rounds', () => {
    expect(medianOf(blog, 'ours', 'newest@16')).toEqual(sample(40_000));
    expect(medianOf(blog, 'nginx', 'newest@16')).toBeNull();
  });
});

describe('the targets', () => {
  const judged = (begin: string) => judge(results).find(({ bar }) => bar.startsWith(begin));

  it('compare the worst figure with the target', () => {
    expect(judged('cached newest')).toMatchObject({ measured: '1.13, 1.20', value: 1.2, passes: false });
    expect(judged('newest list, against')).toMatchObject({ measured: '0.10', passes: true });
    expect(judged('p99')).toMatchObject({ value: 2.5, passes: false, wanted: 'at most 2' });
    expect(judged('refused request')).toMatchObject({ measured: '0.80, 1.00', passes: false });
    expect(judged('resident')).toMatchObject({ value: 180.4, passes: false });
    expect(judged('from process start')).toMatchObject({ value: 290, posts: 100_000, passes: true });
  });

  it('say if a figure was not measured', () => {
    expect(judged('search')).toMatchObject({ measured: 'not measured', passes: null });
  });

  it('apply to each blog separately, memory only to that of 10,000 posts, and random articles to the largest', () => {
    const large: BlogResults = {
      ...{ posts: 100_000, memoryMb: { ours: 200 } },
      lanes: [
        { id: 'article@16', name: 'one article' },
        { id: 'articles@16', name: 'articles at random' },
      ],
      samples: { ours: { 'article@16': [sample(30_000)], 'articles@16': [sample(12_000)] } },
    };
    const all = judge({ ...results, blogs: [{ ...blog, posts: 1000 }, blog, large] });
    const of = (begin: string) => all.filter(({ bar }) => bar.startsWith(begin)).map(({ posts }) => posts);
    expect(of('p99')).toEqual([1000, 10_000]);
    expect(of('resident')).toEqual([10_000]);
    expect(of('articles at random')).toEqual([100_000]);
    expect(all.find(({ bar }) => bar.startsWith('articles'))).toMatchObject({
      measured: '2.50',
      passes: false,
    });
    expect(mainBlog([blog, large])).toBe(blog);
  });
});

describe('the results page', () => {
  const page = resultsPage(results, 'results.svg');

  it('lists the targets first, with their marks', () => {
    const [, bars = ''] = page.split('\n\n').slice(1);
    expect(bars).toContain('| newest list, against Fastify + SQLite | at most 0.4 | 10,000 | 0.10 | ✓ |');
    expect(bars).toContain('| 1.13, 1.20 | **✗** |');
  });

  it('has every figure, and omits what was not measured', () => {
    expect(page).toContain('| newest list | 40,000 | 45,000 | 4,000 |');
    expect(page).toContain('| article | 30,000 | 36,000 |  |');
    expect(page).toContain('nginx is not installed');
    expect(page).toContain('All answers were right');
    expect(page).not.toMatch(/NaN|undefined|null/);
  });

  it('has the measured parts if others failed', () => {
    const without = resultsPage({ ...results, start: { posts: 1000, ms: [] } }, 'results.svg');
    expect(without).toContain('| newest list | 40,000 | 45,000 | 4,000 |');
    expect(without).not.toMatch(/NaN|undefined|null/);
    const nothing = { ...blog, lanes: [], samples: {}, memoryMb: {} };
    expect(resultsPage({ ...results, blogs: [nothing, blog] }, 'results.svg')).not.toMatch(
      /NaN|undefined|null/,
    );
    expect(chartOf({ ...results, blogs: [nothing] })).not.toMatch(/NaN|undefined/);
  });

  it('says where Offprint needs more than others', () => {
    expect(page).toContain(
      'than\n\n- `node:http`, tuned: newest list, 64 connections 2.0; article 1.2; newest list 1.1',
    );
    expect(page).not.toContain('- Fastify + SQLite: ');
  });

  it('lists the faults', () => {
    const faulty = resultsPage({ ...results, faults: ['Fastify, article: other data'] }, 'results.svg');
    expect(faulty).toContain('- Fastify, article: other data');
    expect(faulty).not.toContain('All answers were right');
  });
});

describe("the README's part", () => {
  const part = readmePart(results, 'bench/results.svg', 'bench/RESULTS.md');

  it('has the chart, the main figures and a link', () => {
    expect(part).toContain('](bench/results.svg)');
    expect(part).toContain('| Offprint | 40,000 | 30,000 | 50,000 |');
    expect(part).toContain('Offprint needs more processor time');
    expect(part).toContain('](bench/RESULTS.md)');
  });

  it('replaces the text between the markers, repeatedly', () => {
    const readme = 'before\n\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n\nafter\n';
    const filled = fillIn(readme, part);
    expect(filled).toContain('before\n\n<!-- bench:begin -->\n\n![');
    expect(filled).not.toContain('old');
    expect(filled.endsWith('<!-- bench:end -->\n\nafter\n')).toBe(true);
    expect(fillIn(filled, part)).toBe(filled);
    expect(() => fillIn('no markers', part)).toThrow('README.md lacks');
  });
});

describe('the chart', () => {
  it('is an SVG without a background, with every contestant in it', () => {
    const svg = chartOf(results);
    expect(svg).toMatch(/^<svg width="860"/);
    for (const { name } of results.contestants) expect(svg).toContain(name.replaceAll('`', ''));
    expect(svg).not.toMatch(/fill="(?:#fff|#ffffff|white)"/i);
  });
});
