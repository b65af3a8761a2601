import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { touchEveryPost } from '../../bench/generate/changes.ts';
import { generationOf } from './generation.ts';
import { Random } from '../../bench/generate/random.ts';
import { build } from '../../build/build.ts';
import { SILENT } from '../../common/progress.ts';
import { serveOutput, type ServedOutput } from './gateway-client.ts';
import { runOffprint, startOffprint } from './offprint-process.ts';
import { brokenObjects, differences, objectsIn, otherFilesIn, pointerOf, reachableIn } from './output.ts';
import { CONFIG, editing, LIMITS, shortBlog } from './publishing.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../random-cases.ts';
import { temporaryFolder } from './temporary-folder.ts';

const TIMES = cases(2, 200);
const POSTS = IS_LONG ? 500 : 130;

test(`killed builds leave the published blog complete, and do not affect the next build (seed ${SEED})`, async () => {
  const figures = await killBuilds(temporaryFolder());
  const { faults, ...counts } = figures;
  if (IS_LONG) console.log(counts);
  expect(faults).toEqual([]);
  if (!IS_LONG) expect(figures.rounds).toBeGreaterThanOrEqual(TIMES);
  expect(figures.killed, 'builds that the kill met').toBeGreaterThan(0);
  expect(figures.lists).toBeGreaterThan(figures.rounds);
  expect(figures.articles).toBeGreaterThan(figures.lists);
});

/** The result. All problems are in `faults`. */
interface KilledBuilds {
  rounds: number;
  /** Builds killed before they had published; of these, builds that left temporary files. */
  killed: number;
  killedWhileWriting: number;
  /** What the client read in the meantime. */
  lists: number;
  articles: number;
  /** Duration of a full build in milliseconds; kills happen at random times within it. */
  buildMs: number;
  readonly faults: string[];
}

/**
 * Repeats: change every post, kill a build at a random moment, then run a build that must equal a full build. A
 * client reads all the time: an answer must never mix two generations, and no article may be missing.
 */
async function killBuilds(folder: string): Promise<KilledBuilds> {
  const end = performance.now() + LONG_MS;
  const random = new Random(SEED, 77);
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  const command = ['build', '--db', db, '--out', out, '--config', config];
  writeFileSync(config, CONFIG);
  shortBlog(db, POSTS, SEED);
  const figures: KilledBuilds = {
    ...{ rounds: 0, killed: 0, killedWhileWriting: 0, lists: 0, articles: 0, buildMs: 0 },
    faults: [],
  };

  let generation = 0;
  const touch = () => editing(db, (blog) => touchEveryPost(blog, (generation += 1)));
  const complete = async () => {
    const { code, stderr } = await runOffprint(command);
    if (code !== 0) throw new Error(`A build of generation ${generation} ended with ${code}: ${stderr}`);
  };

  touch();
  await complete();
  const otherFiles = otherFilesIn(out);
  touch();
  const started = performance.now();
  await complete();
  figures.buildMs = Math.round(performance.now() - started);

  const known = new Set(objectsIn(out));
  const server = await serveOutput(out);
  const reader = readRepeatedly(server, random, figures);
  try {
    for (; figures.rounds < TIMES || figures.killed === 0; figures.rounds += 1) {
      touch();
      await killOne();
      if (random.chance(0.3)) touch(); // Then the files that the killed build left are of no use.
      await complete();
      await compare();
      if (figures.faults.length > 20 || performance.now() > end) break;
    }
  } finally {
    await reader.stop();
    await server.end();
  }
  return figures;

  async function killOne(): Promise<void> {
    const before = pointerOf(out).snapshot;
    const building = startOffprint(command);
    await Promise.race([delay(random.fraction() * figures.buildMs), building.ended]);
    building.child.kill('SIGKILL');
    await building.ended;
    const left = otherFilesIn(out).filter((path) => !otherFiles.includes(path));
    if (pointerOf(out).snapshot === before) {
      figures.killed += 1;
      if (left.length > 0 || objectsIn(out).some((path) => !known.has(path))) figures.killedWhileWriting += 1;
    }
    // A kill during a small write is rare, so unfinished files are damaged further.
    for (const path of left.filter((file) => file.endsWith('.json'))) truncateToHalf(join(out, path));
    checkNewObjects('after the kill');
    fault('the snapshot served', brokenObjects(out, reachableIn(out)));
  }

  /** Compares the next build with a full build. */
  async function compare(): Promise<void> {
    const fresh = join(folder, 'fresh');
    rmSync(fresh, { recursive: true, force: true });
    await build({
      ...{ db, out: fresh, site: {}, limits: LIMITS, strict: false, force: false },
      ...{ now: new Date(), progress: SILENT, builtBy: 'test' },
    });
    fault('not the bytes of a build from nothing', differences(out, fresh));
    checkNewObjects('after the next build');
    fault(
      'left behind',
      otherFilesIn(out).filter((path) => !otherFiles.includes(path)),
    );
  }

  function checkNewObjects(when: string): void {
    const added = objectsIn(out).filter((path) => !known.has(path));
    fault(when, brokenObjects(out, added));
    for (const path of added) known.add(path);
  }

  function fault(what: string, found: readonly string[]): void {
    if (found.length > 0)
      figures.faults.push(`generation ${generation}, ${what}: ${found.slice(0, 3).join('; ')}`);
  }
}

/** Truncates a file to half its length. */
function truncateToHalf(path: string): void {
  truncateSync(path, Math.floor(statSync(path).size / 2));
}

/** A pause between rounds of reading, to leave the build some CPU time. */
const PAUSE_MS = 15;

/** Reads lists and articles until stopped, and records problems. */
function readRepeatedly(
  { list, article }: ServedOutput,
  random: Random,
  figures: KilledBuilds,
): { stop(): Promise<void> } {
  let stopped = false;
  let total: number | undefined;
  const readOnce = async () => {
    const sort = random.pick(['new', 'old', 'popular']);
    const { items, meta } = await list(`sort=${sort}&per_page=50&page=${random.between(1, 3)}`);
    figures.lists += 1;
    total ??= meta.total;
    const generations = new Set(items.map(({ title }) => generationOf(title)));
    if (generations.size !== 1 || generations.has(null))
      figures.faults.push(`a list of generations ${[...generations].join(', ')}`);
    if (meta.total !== total) figures.faults.push(`${meta.total} articles instead of ${total}`);

    for (let count = 0; count < 5; count += 1) {
      const { slug } = random.pick(items);
      const { title, content } = await article(slug);
      figures.articles += 1;
      const ofContent = generationOf(content);
      if (ofContent === null || generationOf(title) !== ofContent)
        figures.faults.push(`the article ${slug}: title ${generationOf(title)}, content ${ofContent}`);
    }
  };
  const running = (async () => {
    while (!stopped && figures.faults.length < 20) {
      try {
        await readOnce();
      } catch (error) {
        figures.faults.push(error instanceof Error ? error.message : String(error));
      }
      await delay(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
