import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFailed, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import type { BuildReport } from '../../build/build-report.ts';
import { EditedBlog } from '../build/edits.ts';
import { differences } from '../build/output.ts';
import { editing, LIMITS, NOW, publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { mirrorPath } from '../../data/live/mirror-path.ts';
import { changing } from './ghost-database.ts';
import { cases, SEED } from '../random-cases.ts';
import { writeOddBlog } from '../service/odd-blog.ts';

const source = fileURLToPath(new URL('own.sql', import.meta.url));

/** The parts of a report about the snapshot. */
function comparable({ snapshot, posts, objects }: BuildReport) {
  return { snapshot, posts, total: objects.total };
}

/** Rows that are left out, by table and name. Links of posts are reported where they are read. */
function leftOut({ skipped }: BuildReport, links = false): string[] {
  return skipped
    .filter(({ table }) => table.endsWith('post_tags') === links)
    .map(({ table, row }) => `${table.replace('offprint_', '')} ${row}`);
}

describe('a build through views equals a build without them, byte for byte', () => {
  test.each([
    ['of a blog with odd names and texts', writeOddBlog],
    ['of many posts, with threads', (path: string) => shortBlog(path, 140, 5)],
  ])('%s', async (_, write) => {
    const folder = temporaryFolder();
    const [db, live, plain] = [join(folder, 'blog.db'), join(folder, 'live'), join(folder, 'plain')];
    write(db);
    editing(db, (blog) => blog.exec('DELETE FROM former_slugs')); // The mirror has its own.
    const now = NOW;
    const through = await publish(db, live, { source, now, threads: true });
    expect(comparable(through)).toEqual(comparable(await publish(db, plain, { now })));
    expect(through.skipped).toEqual([]);
    expect(through.posts).toBeGreaterThan(20);
    expect(differences(live, plain)).toEqual([]);
  });

  test(`after any edits, and incrementally (seed ${SEED})`, async () => {
    const folder = temporaryFolder();
    const [db, live, fresh] = [join(folder, 'blog.db'), join(folder, 'live'), join(folder, 'fresh')];
    const random = new Random(SEED, 1);
    shortBlog(db, 60, SEED);
    const blog = new EditedBlog(db, random);
    const log: string[] = [];
    onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}:\n  ${log.join('\n  ')}`));
    for (let build = 0; build < cases(15); build += 1) {
      log.push(`${build}: ${Array.from({ length: random.between(0, 6) }, () => blog.edit()).join(', ')}`);
      // Each database has former slugs of its own.
      blog.db.exec('DELETE FROM former_slugs');
      if (build > 0)
        changing(mirrorPath(live), (mirror) => mirror.exec('DROP TRIGGER IF EXISTS posts_moved'));
      const options = { now: NOW, limits: LIMITS, force: true };
      const through = await publish(db, live, { ...options, source });
      const plain = await publish(db, fresh, { ...options, full: true });
      expect(differences(live, fresh)).toEqual([]);
      expect(comparable(through)).toEqual(comparable(plain));
      // With views, a future post is reported at once; without them, when it is due.
      expect(leftOut(through)).toEqual(expect.arrayContaining(leftOut(plain)));
      expect(leftOut(plain, true)).toEqual(expect.arrayContaining(leftOut(through, true)));
    }
    blog.db.close();
  });
});
