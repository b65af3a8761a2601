import { mkdirSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFailed, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { generationOf } from '../generation.ts';
import { Random } from '../../../bench/generate/random.ts';
import { cases, SEED } from '../../random-cases.ts';
import { serveOutput, type ServedOutput } from '../gateway-client.ts';
import { runOffprint } from '../offprint-process.ts';
import { differences } from '../output.ts';
import { CONFIG, editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../tmpfs.ts';
import { expectOneLine, expectUntouched, pointerFile } from '../untouched.ts';
import { lacks } from '../../lacks.ts';

const LARGE = 256 * 2 ** 20;
const POSTS = 150;
const TIMES = cases(3);
/** Too few bytes for the shared-memory file of SQLite's write-ahead log, which SQLite reports as an I/O error. */
const ALMOST_NONE = 14_000;

test.skipIf(lacks('permission to mount', CAN_MOUNT))(
  'a disk that fills up at any moment leaves the published blog complete (skipped if mounting is not allowed)',
  async () => {
    onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}`));
    const random = new Random(SEED, 3);
    const disk = smallDisk(LARGE);
    const folder = temporaryFolder();
    const [db, out, fresh] = [join(folder, 'blog.db'), join(disk.folder, 'out'), join(folder, 'fresh')];
    const config = join(folder, 'offprint.json');
    const command = ['build', '--db', db, '--out', out, '--config', config];
    writeFileSync(config, CONFIG);
    shortBlog(db, POSTS, 13);
    editing(db, (blog) => touchEveryPost(blog, 1));
    expect((await runOffprint(command)).code).toBe(0);
    const before = usedOn(disk.folder);
    editing(db, (blog) => touchEveryPost(blog, 2));
    expect((await runOffprint(command)).code).toBe(0);
    const needed = usedOn(disk.folder) - before;
    const server = await serveOutput(out);
    let failures = 0;
    let served = 2;
    try {
      for (let round = 0; round < TIMES; round += 1) {
        const generation = 3 + round;
        const published = pointerFile(out);
        editing(db, (blog) => touchEveryPost(blog, generation));
        const room = round === 0 ? ALMOST_NONE : Math.floor((needed * (round + random.fraction())) / TIMES);
        disk.resize(Math.ceil((usedOn(disk.folder) + room) / 4096) * 4096);
        const outcome = await runOffprint(command);
        if (outcome.code === 0) {
          served = generation; // The previous build had left enough space.
        } else {
          failures += 1;
          expect(expectOneLine(outcome), `with room for ${room} bytes`).toMatch(/full/);
          expectUntouched(out, published);
        }
        await expectServed(server, served);
        disk.resize(LARGE);
      }
      expect(failures).toBeGreaterThan(TIMES / 4);
      expect((await runOffprint(command)).code).toBe(0);
      await publish(db, fresh);
      expect(differences(out, fresh)).toEqual([]);
    } finally {
      await server.end();
    }
  },
);

test.skipIf(lacks('permission to mount', CAN_MOUNT))(
  'a folder of the output on another disk is refused',
  async () => {
    const { db, out } = blogPaths();
    shortBlog(db, 1, 13);
    mkdirSync(out);
    symlinkSync(smallDisk(LARGE).folder, join(out, 'state'));
    const outcome = await runOffprint(['build', '--db', db, '--out', out]);
    expect(expectOneLine(outcome)).toContain('mount the whole folder as one');
  },
);

/** Lists and articles are of one generation. A gateway needs up to a second to see a new one. */
async function expectServed(server: ServedOutput, generation: number): Promise<void> {
  const read = async () => {
    const { items } = await server.list('per_page=50&page=2');
    const { title, content } = await server.article(items[0]?.slug ?? '');
    return [...items.map((item) => item.title), title, content].map(generationOf);
  };
  await expect.poll(read, { interval: 200 }).toEqual(Array(52).fill(generation));
}

/** Bytes in use on the disk of `folder`. */
function usedOn(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder);
  return (blocks - bfree) * bsize;
}
