/**
 * `npm run bench:publishing [-- --posts N]`: what publishing costs, as figures and ratios from one run.
 *
 *   database   a generated blog of N posts, and one of 1,000
 *   measured   a full build, one new post, one edited body, all view counts changed, no change
 *   compared   the time of only sanitising the same bodies; a gateway's latency during a build
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Check, isNumber, parseJson, recordOf } from '../../contract/json.ts';
import { type BuildReport, isBuildReport } from '../../build/build-report.ts';
import { openForWriting } from '../../data/database.ts';
import { generateBlog } from '../generate/blog.ts';
import { bumpAllViews, editOneBody, publishOne } from '../generate/changes.ts';
import { median } from '../median.ts';
import { measureLatency } from './latency.ts';

const ROUNDS = 5;

const { values } = parseArgs({ options: { posts: { type: 'string', default: '100000' } } });
const posts = Number(values.posts);
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const isBuilt = recordOf<{ report: BuildReport; peakMb: number }>({
  report: isBuildReport,
  peakMb: isNumber,
});

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly holds: boolean;
}

try {
  const large = await measureBlog(posts);
  const small = await measureBlog(1000);
  const latency = await measureLatency(join(folder, 'latency'), 10_000);
  const rows: Row[] = [
    atMost('one new post: objects', large.publish.objects, 40),
    atMost('one new post: bytes written', large.publish.bytes, 1_000_000),
    atMost('one new post: share of a full build’s time', large.publish.seconds / large.full.seconds, 1 / 50),
    atMost('one edited body: objects', large.edit.objects, 6),
    atMost('every view count changed: objects', large.views.objects, 12),
    atMost('nothing changed: objects', large.nothing.objects, 0),
    atMost('nothing changed: seconds', large.nothing.seconds, 0.3),
    atMost(
      `one new post: objects at ${posts} ÷ at 1,000`,
      large.publish.objects / small.publish.objects,
      1.5,
    ),
    atMost('full build: peak memory, MB', large.full.peakMb, 600),
    atMost('full build ÷ sanitising alone, on one core', large.full.seconds / large.sanitiseSeconds, 1),
    atMost('gateway p99 during a build of 10,000 ÷ idle', latency.building.p99 / latency.idle.p99, 3),
  ];
  console.log(
    `\n${posts} posts; full build ${large.full.seconds.toFixed(1)} s, ${large.full.objects} objects;`,
  );
  console.log(
    `sanitising alone ${large.sanitiseSeconds.toFixed(1)} s; one new post ${large.publish.seconds.toFixed(3)} s;`,
  );
  console.log(
    `gateway p99 idle ${latency.idle.p99.toFixed(2)} ms, while building ${latency.building.p99.toFixed(2)} ms\n`,
  );
  for (const { what, measured, limit, holds } of rows) {
    console.log(
      `${holds ? 'holds ' : 'FAILS '} ${what.padEnd(52)} ${measured.padStart(10)}  at most ${limit}`,
    );
  }
  if (rows.some(({ holds }) => !holds)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Cost {
  readonly objects: number;
  readonly bytes: number;
  readonly seconds: number;
}

interface Costs {
  readonly full: Cost & { readonly peakMb: number };
  readonly sanitiseSeconds: number;
  readonly publish: Cost;
  readonly edit: Cost;
  readonly views: Cost;
  readonly nothing: Cost;
}

async function measureBlog(size: number): Promise<Costs> {
  const db = join(folder, `blog-${size}.db`);
  const out = join(folder, `out-${size}`);
  generateBlog(db, { posts: size, seed: 1 });
  const { seconds: sanitiseSeconds } = run(
    recordOf<{ seconds: number }>({ seconds: isNumber }),
    'sanitise-once.ts',
    db,
  );
  const full = build(db, out);
  return {
    full,
    sanitiseSeconds,
    publish: worst(db, out, (n) => change(db, (open) => publishOne(open, n))),
    edit: worst(db, out, (n) => change(db, (open) => editOneBody(open, n))),
    views: worst(db, out, (n) => change(db, (open) => bumpAllViews(open, n))),
    nothing: worst(db, out, () => undefined),
  };
}

/** Repeats a change and a build. Returns the maximum of objects and bytes, and the median time. */
function worst(db: string, out: string, edit: (round: number) => void): Cost {
  const costs = Array.from({ length: ROUNDS }, (_, round) => {
    edit(round + 1);
    return build(db, out);
  });
  return {
    objects: Math.max(...costs.map(({ objects }) => objects)),
    bytes: Math.max(...costs.map(({ bytes }) => bytes)),
    seconds: median(costs.map(({ seconds }) => seconds)),
  };
}

function change(path: string, edit: (db: ReturnType<typeof openForWriting>) => unknown): void {
  const db = openForWriting(path);
  edit(db);
  db.close();
}

function build(db: string, out: string): Cost & { peakMb: number } {
  const { report, peakMb } = run(isBuilt, 'build-once.ts', db, out);
  const { objects, seconds } = report;
  return { objects: objects.written, bytes: objects.bytes_written, seconds, peakMb };
}

/** Runs a script and returns its output. */
function run<T>(isResult: Check<T>, script: string, ...args: string[]): T {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(process.execPath, [path, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return parseJson(output, isResult, `the result of ${script}`);
}

function atMost(what: string, measured: number, limit: number): Row {
  const show = (value: number) =>
    Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(3);
  return { what, measured: show(measured), limit: show(limit), holds: measured <= limit };
}
