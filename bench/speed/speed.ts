/**
 * `npm run bench`: Offprint and alternatives, on the same blogs with the same requests.
 *
 *   stage.ts        a blog with keys, published, and in a database for the live API
 *   contestants.ts  the servers, and how each is started
 *   measure.ts      checks, warms up, and measures in turn
 *   trials.ts       Offprint only: starts, crashes
 *   worker.ts       the Worker, compared with a trivial one
 *   parts.ts        a part that fails does not stop the others
 *   judge.ts        the targets
 *   report.ts       RESULTS.md and the README's part; chart.ts draws
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageVersion } from '../../common/package-version.ts';
import { VERSION } from '../../cli/version.ts';
import { chartOf } from './chart.ts';
import { CONTESTANTS, nginxVersion } from './contestants.ts';
import { judge } from './judge.ts';
import { measureBlog, stepsOf } from './measure.ts';
import { attempt } from './parts.ts';
import { Processes } from './processes.ts';
import { ProgressLine } from './progress-line.ts';
import { fillIn, readmePart, resultsPage } from './report.ts';
import type { BlogResults, Results, WorkerResults } from './results.ts';
import { makeStage } from './stage.ts';
import { killUnderLoad, timeStarts } from './trials.ts';
import { compareWithTrivial } from './worker.ts';
import { wrkVersion } from './wrk.ts';

const USAGE = `npm run bench -- [--quick] [--posts 1000,10000] [--rounds 3] [--seconds 2] [--start-posts 100000]

--quick: one blog of 1,000 posts, two rounds of one second.
A run with all defaults, of which nothing failed, writes bench/RESULTS.md, bench/results.svg and the README's part.
Any other one writes into bench/data/speed/. So does each blog that is done, whatever comes after it.`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    posts: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'start-posts': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { quick } = values;
const sizes = (values.posts ?? (quick ? '1000' : '1000,10000')).split(',').map(wholeNumber);
const rounds = wholeNumber(values.rounds ?? (quick ? '2' : '3'));
const seconds = wholeNumber(values.seconds ?? (quick ? '1' : '2'));
const startPosts = wholeNumber(values['start-posts'] ?? (quick ? '1000' : '100000'));
const isWhole = Object.keys(values).every((name) => name === 'help' || name === 'quick') && !quick;

if (values.help) {
  console.log(USAGE);
  process.exit();
}
const wrk = wrkVersion();
if (wrk === null) {
  console.error(
    'The load comes from wrk, which is not installed. On Debian and Ubuntu: apt-get install wrk. On macOS: brew install wrk.',
  );
  process.exit(1);
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Results of runs that are not complete; these are not published. */
const UNFINISHED = join(ROOT, 'bench/data/speed');
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const processes = new Processes(); // Created first: at exit, it ends the processes before the folder is removed.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const nginx = nginxVersion();
const contestants = CONTESTANTS.filter(({ id }) => id !== 'nginx' || nginx !== null);
const isPinned = hasTaskset();
const under = {
  server: isPinned ? ['taskset', '-c', '0'] : [],
  load: isPinned ? ['taskset', '-c', '1'] : [],
};
const faults: string[] = [];

const onFailure = (failure: string) => {
  faults.push(failure);
  isComplete = false;
  console.error(failure);
  processes.killAll(); // Processes that the part had started.
};
let isComplete = true;

const blogs: BlogResults[] = [];
let worker: WorkerResults | null = null;
for (const posts of sizes) {
  const name = `${posts.toLocaleString('en')} posts`;
  console.error(`making a blog of ${name}`);
  const stage = await attempt(name, () => makeStage(join(folder, String(posts)), posts), null, onFailure);
  if (!stage) continue;
  const progress = new ProgressLine(name, stepsOf(stage, contestants, rounds));
  const onFault = (fault: string) => {
    faults.push(`${name}: ${fault}`);
    progress.say(`wrong: ${fault}`);
  };
  const plan = {
    ...{ rounds, seconds, warmUpSeconds: 1, ...under },
    onStep: (what: string) => progress.step(what),
    onFault,
  };
  const part = <T>(what: string, work: () => Promise<T>, instead: T): Promise<T> => {
    progress.step(what);
    return attempt(`${name}, ${what}`, work, instead, onFailure);
  };
  const nothing = { lanes: [], samples: {}, memoryMb: {} };
  const measured = await part('requests', () => measureBlog(processes, stage, contestants, plan), nothing);
  const trial = { processes, stage, times: Math.min(rounds, 5), ...under };
  const kills = await part('kill -9 under load', () => killUnderLoad(trial), []);
  worker ??= await part(
    'the Worker',
    () => compareWithTrivial({ processes, stage, rounds: trial.times, seconds, onFault }),
    null,
  );
  progress.end();
  blogs.push({ posts, ...measured, kills });
  save(resultsOf({ posts: startPosts, ms: [] }), UNFINISHED);
}

console.error(`making a blog of ${startPosts.toLocaleString('en')} posts, to start on`);
const ms = await attempt(
  `starts on ${startPosts.toLocaleString('en')} posts`,
  () => {
    const large = makeStage(join(folder, `start-${startPosts}`), startPosts, { live: false });
    return timeStarts({ processes, stage: large, times: quick ? 3 : 9, ...under });
  },
  [],
  onFailure,
);

const results = resultsOf({ posts: startPosts, ms });
const isPublished = isWhole && isComplete;
const page = save(results, isPublished ? join(ROOT, 'bench') : UNFINISHED);
if (isPublished) fillInReadme(results);
tell(results, page);
if (faults.length > 0) process.exitCode = 1;
process.exit();

function resultsOf(start: Results['start']): Results {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${release()}`,
    versions: versions(),
    ...{ pinned: isPinned, rounds, seconds, contestants, blogs, start, worker, faults },
    skipped: [
      ...(nginx === null ? ['nginx is not installed, so it was left out'] : []),
      ...(worker === null ? ['the Worker was not measured'] : []),
    ],
  };
}

/** Writes the page and its chart into a folder. @returns the page's path */
function save(all: Results, to: string): string {
  mkdirSync(to, { recursive: true });
  const path = join(to, 'RESULTS.md');
  writeFileSync(path, resultsPage(all, 'results.svg'));
  writeFileSync(join(to, 'results.svg'), chartOf(all));
  return path;
}

function fillInReadme(all: Results): void {
  const readme = join(ROOT, 'README.md');
  const part = readmePart(all, 'bench/results.svg', 'bench/RESULTS.md');
  writeFileSync(readme, fillIn(readFileSync(readme, 'utf8'), part));
}

function tell(all: Results, path: string): void {
  for (const { bar, posts, measured, wanted, passes } of judge(all)) {
    const mark = passes === null ? '-' : passes ? 'pass' : 'MISS';
    console.log(`${mark.padEnd(5)}${bar}, ${posts.toLocaleString('en')} posts: ${measured} (${wanted})`);
  }
  for (const fault of all.faults) console.log(`WRONG ${fault}`);
  console.log(`\nAll of it: ${path}`);
}

function versions(): string {
  const own = (name: string): string =>
    `${name} ${packageVersion(join(ROOT, 'node_modules', name, 'package.json'))}`;
  return [
    ...[`Offprint ${VERSION}`, `Node ${process.versions.node}`, own('fastify'), own('better-sqlite3')],
    ...[`wrk ${wrk}`, ...(nginx === null ? [] : [`nginx ${nginx}`])],
  ].join(', ');
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    console.error(`"${text}" is not a whole number from 1.\n\n${USAGE}`);
    process.exit(1);
  }
  return Number(text);
}
