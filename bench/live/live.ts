/**
 * `npm run bench:live [-- --posts N]`: how builds affect the owner of a live database.
 *
 *   database   a generated blog of N posts (default 20000) in Ghost's tables, with a rollback journal
 *   measured   copies and a build, while the owner is idle and while it writes: how long its writes are blocked, how
 *              long they take with and without builds, how many fail, and how long a copy takes
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import { openWithoutBlocking } from '../../data/live/copy.ts';
import { DatabaseBusy } from '../../data/live/errors.ts';
import { measure } from '../importing/peak-memory.ts';
import { median } from '../median.ts';
import { writeGhostBlog } from './ghost-blog.ts';
import type { Seen } from './owner.ts';

const COPIES = 5;
const RATES = [1, 10];
const IDLE_MS = 5000;
/** The longest time that the owner may be blocked at once. */
const MAX_MS = 100;

const OWNER = fileURLToPath(new URL('owner.ts', import.meta.url));
const VIEWS = fileURLToPath(new URL('../../data/sources/ghost.sql', import.meta.url));

const isSeen = recordOf<Seen>({ refused: isNumber, made: isNumber, longestMs: isNumber });

const { values } = parseArgs({ options: { posts: { type: 'string', default: '20000' } } });
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const [db, out, config] = [join(folder, 'ghost.db'), join(folder, 'out'), join(folder, 'offprint.json')];
try {
  mkdirSync(out);
  writeFileSync(config, JSON.stringify({ site: { url: 'https://bench.example' } }));
  writeGhostBlog(db, Number(values.posts));
  console.log(`${values.posts} posts, ${(statSync(db).size / 1e6).toFixed(0)} MB`);

  const quiet = await whileOwner('watch', copyAndBuild);
  const { copies, build } = quiet.result;
  console.log(`quiet: ${timesOf(copies)}; first ${buildTime(build)}`);
  console.log(`  kept from writing ${quiet.seen.refused} times, for at most ${ms(quiet.seen.longestMs)}`);
  let isGood = quiet.seen.longestMs <= MAX_MS && Number.isFinite(build);

  for (const rate of RATES) {
    const alone = await whileOwner(String(rate), () => new Promise((end) => setTimeout(end, IDLE_MS)));
    const busy = await whileOwner(String(rate), copyAndBuild);
    console.log(`${rate} writes a second: ${timesOf(busy.result.copies)}; ${buildTime(busy.result.build)}`);
    console.log(
      `  ${busy.seen.made} writes, ${busy.seen.refused} failed, the slowest took ${ms(busy.seen.longestMs)}; ` +
        `without builds ${ms(alone.seen.longestMs)}`,
    );
    isGood &&= busy.seen.refused === 0 && Number.isFinite(busy.result.build);
  }
  if (!isGood) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Seconds of each copy, and of a build; infinite if the owner wrote too often. */
async function copyAndBuild(): Promise<{ copies: readonly number[]; build: number }> {
  const copies = Array.from({ length: COPIES }, () => {
    const started = performance.now();
    try {
      openWithoutBlocking(db, join(out, 'copy.db')).close();
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      return Infinity; // The copy gave up.
    }
    return (performance.now() - started) / 1000;
  });
  const args = ['build', '--source', VIEWS, '--db', db, '--out', out, '--config', config, '--json'];
  try {
    return { copies, build: (await measure(args)).seconds };
  } catch {
    return { copies, build: Infinity }; // It has printed why.
  }
}

/** Runs `work` while an owner writes or watches (`mode`). Returns the result and what the owner measured. */
async function whileOwner<T>(mode: string, work: () => Promise<T>): Promise<{ result: T; seen: Seen }> {
  const owner = spawn(process.execPath, [OWNER, db, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  owner.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise((resolve) => owner.on('close', resolve));
  await new Promise((resolve) => setTimeout(resolve, 1000)); // Wait until it starts.
  try {
    const result = await work();
    owner.stdin.end();
    await ended;
    return { result, seen: parseJson(printed, isSeen, 'what the owner prints') };
  } finally {
    owner.kill();
  }
}

function timesOf(copies: readonly number[]): string {
  const made = copies.filter(Number.isFinite);
  const times = `a copy takes ${median(made).toFixed(2)} s, at most ${Math.max(...made).toFixed(2)} s`;
  return made.length === copies.length ? times : `${times}, ${copies.length - made.length} were given up`;
}

function buildTime(seconds: number): string {
  return Number.isFinite(seconds) ? `build ${seconds.toFixed(1)} s` : 'build failed';
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
