/**
 * `npm run bench`: ours and its opponents on the same blogs, with the same requests.
 *
 *   stage.ts        a blog with keys, published, and in a database for the live API
 *   contestants.ts  who is measured, and how each is started
 *   measure.ts      checked, warmed up, and measured in turn
 *   trials.ts       of ours alone: starts, crashes, workers
 *   worker.ts       of the Worker, beside a trivial one
 *   judge.ts        the bars
 *   report.ts       RESULTS.md and the README's part; chart.ts draws
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VERSION } from '../../cli/version.ts';
import { chartOf } from './chart.ts';
import { CONTESTANTS, knowsWorkers, nginxVersion } from './contestants.ts';
import { judge } from './judge.ts';
import { measureBlog, stepsOf } from './measure.ts';
import { Processes } from './processes.ts';
import { ProgressLine } from './progress-line.ts';
import { fillIn, readmePart, resultsPage } from './report.ts';
import type { BlogResults, Results, WorkerResults } from './results.ts';
import { makeStage } from './stage.ts';
import { compareWorkers, killUnderLoad, timeStarts } from './trials.ts';
import { compareWithTrivial } from './worker.ts';
import { wrkVersion } from './wrk.ts';

const USAGE = `npm run bench -- [--quick] [--posts 1000,10000] [--rounds 3] [--seconds 2] [--start-posts 100000]

--quick: one blog of 1,000 posts, two rounds of one second.
A run with all defaults writes bench/RESULTS.md, bench/results.svg and the README's part; any other one
writes into bench/data/.`;

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
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const processes = new Processes(); // Before the folder goes, at the end, those who write in it have ended.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const nginx = nginxVersion();
const contestants = CONTESTANTS.filter(({ id }) => id !== 'nginx' || nginx !== null);
const hasWorkers = knowsWorkers();
const isPinned = hasTaskset();
const under = {
  server: isPinned ? ['taskset', '-c', '0'] : [],
  load: isPinned ? ['taskset', '-c', '1'] : [],
};
const faults: string[] = [];

const blogs: BlogResults[] = [];
let worker: WorkerResults | null = null;
for (const posts of sizes) {
  console.error(`making a blog of ${posts.toLocaleString('en')} posts`);
  const stage = makeStage(join(folder, String(posts)), posts);
  const progress = new ProgressLine(
    `${posts.toLocaleString('en')} posts`,
    stepsOf(stage, contestants, rounds),
  );
  const onFault = (fault: string) => {
    faults.push(`${posts.toLocaleString('en')} posts: ${fault}`);
    progress.say(`wrong: ${fault}`);
  };
  const measured = await measureBlog(processes, stage, contestants, {
    ...{ rounds, seconds, warmUpSeconds: 1, ...under },
    onStep: (what) => progress.step(what),
    onFault,
  });
  const trial = { processes, stage, times: Math.min(rounds, 5), ...under };
  progress.step('kill -9 under load');
  const kills = await killUnderLoad(trial);
  progress.step('workers');
  const workers = hasWorkers ? await compareWorkers(trial, seconds, onFault) : [];
  progress.step('the Worker');
  worker ??= await compareWithTrivial({ processes, stage, rounds: trial.times, seconds, onFault });
  progress.end();
  blogs.push({ posts, ...measured, kills, workers });
}

console.error(`making a blog of ${startPosts.toLocaleString('en')} posts, to start on`);
const large = makeStage(join(folder, `start-${startPosts}`), startPosts, { live: false });
const start = {
  posts: startPosts,
  ms: await timeStarts({ processes, stage: large, times: quick ? 3 : 9, ...under }),
};

const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${release()}`,
  versions: versions(),
  ...{ pinned: isPinned, rounds, seconds, contestants, blogs, start, worker, faults },
  skipped: [
    ...(nginx === null ? ['nginx is not installed, so it was left out'] : []),
    ...(hasWorkers ? [] : ['this version of `serve` has no `--workers`, so two processes were not measured']),
    ...(worker === null ? ['there is no Worker yet, so it was not measured'] : []),
  ],
};
write(results);
if (faults.length > 0) process.exitCode = 1;
process.exit();

function write(all: Results): void {
  const to = isWhole ? join(ROOT, 'bench') : join(ROOT, 'bench/data/speed');
  mkdirSync(to, { recursive: true });
  const page = join(to, 'RESULTS.md');
  writeFileSync(page, resultsPage(all, 'results.svg'));
  writeFileSync(join(dirname(page), 'results.svg'), chartOf(all));
  if (isWhole) {
    const readme = join(ROOT, 'README.md');
    const part = readmePart(all, 'bench/results.svg', 'bench/RESULTS.md');
    writeFileSync(readme, fillIn(readFileSync(readme, 'utf8'), part));
  }
  for (const { bar, posts, measured, wanted, passes } of judge(all)) {
    const mark = passes === null ? '-' : passes ? 'pass' : 'MISS';
    console.log(`${mark.padEnd(5)}${bar}, ${posts.toLocaleString('en')} posts: ${measured} (${wanted})`);
  }
  for (const fault of all.faults) console.log(`WRONG ${fault}`);
  console.log(`\nAll of it: ${page}`);
}

function versions(): string {
  const own = (name: string): string => {
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
    );
    return `${name} ${version}`;
  };
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
