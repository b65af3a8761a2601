/**
 * `npm run bench`: Offprint and alternatives, on the same blogs with the same requests.
 *
 *   stage.ts        a blog with keys, published, and in a database for the live API
 *   contestants.ts  the servers, and how each is started
 *   measure.ts      checks, warms up, and measures in turn
 *   judge.ts        the targets
 *   report.ts       RESULTS.md and the README's part; chart.ts draws
 *
 * A run with all defaults, of which nothing failed, writes bench/RESULTS.md, bench/results.svg and the README's part.
 * Any other one writes into bench/data/speed/, after each blog.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { VERSION } from '../../cli/version.ts';
import { packageVersion } from '../../common/package-version.ts';
import { messageOf } from '../../common/thrown.ts';
import { PREFIX } from '../../contract/api.ts';
import { temporaryFolder } from '../folder.ts';
import { optionsOf } from '../options.ts';
import { Processes } from '../processes.ts';
import { ask } from './ask.ts';
import { chartOf } from './chart.ts';
import { installedNginx } from '../opponents/nginx.ts';
import { CONTESTANTS, startOurs } from './contestants.ts';
import { judge } from './judge.ts';
import { measureBlog } from './measure.ts';
import { fillIn, readmePart, resultsPage } from './report.ts';
import { LARGE_IDS } from './request-classes.ts';
import type { BlogResults, Results } from './results.ts';
import { makeStage, type Stage } from './stage.ts';
import { wrkVersion } from './wrk.ts';

const options = optionsOf('npm run bench', {
  posts: [10_000, 1000],
  rounds: [3, 1],
  seconds: [2, 1],
  'large-posts': [100_000, 2000],
});
const { posts: mainPosts, rounds, seconds, 'large-posts': largePosts } = options;
const wrk = wrkVersion();
if (wrk === null) {
  console.error(
    'The load comes from wrk, which is not installed. On Debian and Ubuntu: apt-get install wrk. On macOS: brew install wrk.',
  );
  process.exit(1);
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_TIMES = 9;
const processes = new Processes(); // Created first: at exit, it ends the processes before the folder is removed.
const folder = temporaryFolder();
const nginx = installedNginx();
const contestants = CONTESTANTS.filter(({ id }) => id !== 'nginx' || nginx !== null);
const isPinned = spawnSync('taskset', ['-c', '1', 'true']).status === 0;
const under = {
  server: isPinned ? ['taskset', '-c', '0'] : [],
  load: isPinned ? ['taskset', '-c', '1'] : [],
};
const faults: string[] = [];
const blogs: BlogResults[] = [];
const starts: number[] = [];
for (const posts of new Set([Math.min(1000, mainPosts), mainPosts])) {
  await attempt(posts, async () => {
    await measureStage(posts, await makeStage(join(folder, String(posts)), posts));
  });
  save(join(ROOT, 'bench/data/speed'));
}
await attempt(largePosts, async () => {
  const stage = await makeStage(join(folder, 'large'), largePosts, LARGE_IDS);
  await timeStarts(stage);
  await measureStage(largePosts, stage);
});
const isPublished = options.isDefault && faults.length === 0;
const page = save(join(ROOT, isPublished ? 'bench' : 'bench/data/speed'));
if (isPublished) {
  const readme = join(ROOT, 'README.md');
  const part = readmePart(results(), 'bench/results.svg', 'bench/RESULTS.md');
  writeFileSync(readme, fillIn(readFileSync(readme, 'utf8'), part));
}
for (const { bar, posts, measured, wanted, passes } of judge(results())) {
  const mark = passes === null ? '-' : passes ? 'PASS' : 'FAILS';
  console.log(`${mark.padEnd(6)}${bar}, ${posts.toLocaleString('en')} posts: ${measured} (${wanted})`);
}
for (const fault of faults) console.log(`WRONG ${fault}`);
console.log(`\nAll results: ${page}`);
process.exit(faults.length > 0 || judge(results()).some(({ passes }) => passes === false) ? 1 : 0);

/** Runs one part. If it fails, that is a fault, and the others continue. */
async function attempt(posts: number, part: () => Promise<void>): Promise<void> {
  const what = `${posts.toLocaleString('en')} posts`;
  console.error(`making a blog: ${what}`);
  try {
    await part();
  } catch (error) {
    faults.push(`${what}: not measured, since it failed: ${messageOf(error).replace(/\s+/g, ' ').trim()}`);
    processes.killAll(); // Processes that the part had started.
  }
}

async function measureStage(posts: number, stage: Stage): Promise<void> {
  const format = `${posts} posts: {value} of {total}, {eta_formatted} left: {what}`;
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 30_000, clearOnComplete: true });
  bar.start(1, 0, { what: 'starting the servers' });
  try {
    const measured = await measureBlog(processes, stage, contestants, {
      ...{ rounds, seconds, warmUpSeconds: 1, ...under },
      onStep(what, count) {
        bar.setTotal(count);
        bar.increment(1, { what });
      },
      onFault: (fault) => void faults.push(`${posts} posts: ${fault}`),
    });
    blogs.push({ posts, ...measured });
  } finally {
    bar.stop();
  }
}

/** Milliseconds from the start of the process to its first answer, on a large blog. */
async function timeStarts(stage: Stage): Promise<void> {
  for (let time = 0; time < START_TIMES; time++) {
    const started = performance.now();
    const server = await startOurs({ processes, stage, under: under.server });
    const { status } = await ask(`${server.url}${PREFIX}/posts`, stage.headers.reader);
    starts.push(performance.now() - started);
    if (status !== 200) throw new Error(`The first answer after a start was ${status}.`);
    await server.stop();
  }
}

function results(): Results {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown processor';
  const own = (name: string) => `${name} ${packageVersion(join(ROOT, 'node_modules', name, 'package.json'))}`;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu}, ${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${release()}`,
    versions: [
      ...[`Offprint ${VERSION}`, `Node ${process.versions.node}`, own('fastify'), own('better-sqlite3')],
      ...[`wrk ${wrk}`, ...(nginx === null ? [] : [`nginx ${nginx.version}`])],
    ].join(', '),
    ...{ pinned: isPinned, rounds, seconds, contestants, blogs, faults },
    start: { posts: largePosts, ms: starts },
    skipped: nginx === null ? ['nginx with Lua is not installed, so it was left out'] : [],
  };
}

/** Writes the page and its chart into a folder. @returns the page's path */
function save(to: string): string {
  mkdirSync(to, { recursive: true });
  const path = join(to, 'RESULTS.md');
  writeFileSync(path, resultsPage(results(), 'results.svg'));
  writeFileSync(join(to, 'results.svg'), chartOf(results()));
  return path;
}
