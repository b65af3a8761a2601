/**
 * Builds that are killed while a client reads: an answer never mixes two generations, no article is missing, and the next
 * build equals a full one.
 */
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { Random } from '../../../bench/generate/random.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import { serveOutput, type ServedOutput } from '../gateway-client.ts';
import { generationOf } from '../generation.ts';
import { runOffprint, startOffprint } from '../offprint-process.ts';
import { dyingBefore } from '../../service/dying.ts';
import { brokenObjects, differences, objectsIn, otherFilesIn, pointerOf, reachableIn } from '../output.ts';
import { CONFIG, editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

const TIMES = cases(2, 200);
const POSTS = IS_LONG ? 500 : 130;

test(`killed builds leave the published blog complete, and do not affect the next build (seed ${SEED})`, async () => {
  const random = new Random(SEED, 77);
  const { folder, db, out, fresh } = blogPaths();
  const config = join(folder, 'offprint.json');
  const command = ['build', '--db', db, '--out', out, '--config', config];
  writeFileSync(config, CONFIG);
  shortBlog(db, POSTS, SEED);
  let generation = 0;
  const touch = () => editing(db, (blog) => touchEveryPost(blog, (generation += 1)));
  const complete = async () => {
    const { code, stderr } = await runOffprint(command);
    expect(code, `generation ${generation}: ${stderr}`).toBe(0);
  };

  touch();
  await complete();
  const otherFiles = otherFilesIn(out);
  const left = () => otherFilesIn(out).filter((path) => !otherFiles.includes(path));
  touch();
  const started = performance.now();
  await complete();
  const duration = performance.now() - started;

  const server = await serveOutput(out);
  const reader = readRepeatedly(server, random);
  const known = new Set(objectsIn(out));
  const expectNewObjectsWhole = () => {
    const added = objectsIn(out).filter((path) => !known.has(path));
    expect(brokenObjects(out, added), `new objects, generation ${generation}`).toEqual([]);
    for (const path of added) known.add(path);
  };
  const end = started + LONG_MS;
  let rounds = 0;
  let killed = 0;
  try {
    for (; rounds < TIMES && performance.now() < end; rounds += 1) {
      touch();
      const before = pointerOf(out).snapshot;
      // The first dies between two objects, the others at any moment.
      const building = startOffprint(command, rounds === 0 ? { env: dyingBefore(20) } : {});
      if (rounds > 0) await Promise.race([delay(random.fraction() * duration), building.ended]);
      if (rounds > 0) building.child.kill('SIGKILL');
      const code = await building.ended;
      if (rounds === 0) expect([code, pointerOf(out).snapshot]).toEqual([null, before]);
      if (pointerOf(out).snapshot === before) killed += 1;
      // A kill during a small write is rare, so unfinished files are damaged further.
      for (const path of left().filter((file) => file.endsWith('.json')))
        truncateSync(join(out, path), Math.floor(statSync(join(out, path)).size / 2));
      expectNewObjectsWhole();
      expect(brokenObjects(out, reachableIn(out)), `served, generation ${generation}`).toEqual([]);

      if (random.chance(0.3)) touch(); // Then the files that the killed build left are of no use.
      await complete();
      rmSync(fresh, { recursive: true, force: true });
      await publish(db, fresh, { now: new Date(), threads: true });
      expect(differences(out, fresh), `generation ${generation}`).toEqual([]);
      expectNewObjectsWhole();
      expect(left()).toEqual([]);
    }
    await expect.poll(() => reader.read.lists).toBeGreaterThan(rounds);
  } finally {
    await reader.stop();
    await server.end();
  }
  if (IS_LONG) console.log({ rounds, killed, ...reader.read });
  expect(reader.faults).toEqual([]);
  expect(reader.read.articles).toBeGreaterThan(reader.read.lists);
});

/** Reads lists and articles until stopped, and records what is wrong. */
function readRepeatedly({ list, article }: ServedOutput, random: Random) {
  const faults: string[] = [];
  const read = { lists: 0, articles: 0 };
  let stopped = false;
  let total: number | undefined;
  const expectOne = (what: string, texts: readonly string[]) => {
    const generations = new Set(texts.map(generationOf));
    if (generations.size !== 1 || generations.has(null))
      faults.push(`${what} is of generations ${[...generations].join(', ')}`);
  };
  const readOnce = async () => {
    const sort = random.pick(['new', 'old', 'popular']);
    const { items, meta } = await list(`sort=${sort}&per_page=50&page=${random.between(1, 3)}`);
    read.lists += 1;
    total ??= meta.total;
    if (meta.total !== total) faults.push(`${meta.total} articles instead of ${total}`);
    expectOne(
      'a list',
      items.map(({ title }) => title),
    );
    for (let count = 0; count < 5; count += 1) {
      const { slug } = random.pick(items);
      const { title, content } = await article(slug);
      read.articles += 1;
      expectOne(slug, [title, content]);
    }
  };
  const running = (async () => {
    while (!stopped && faults.length < 20) {
      await readOnce().catch((error: unknown) => faults.push(String(error)));
      await delay(15); // Leaves the build some processor time.
    }
  })();
  return {
    faults,
    read,
    async stop() {
      stopped = true;
      await running;
    },
  };
}
