import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFailed, test } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import type { BuildReport } from '../../../build/build-report.ts';
import { cases, SEED } from '../../random-cases.ts';
import { EditedBlog } from '../edits.ts';
import { differences, objectsIn, reachableIn } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { LIMITS, NOW, publish, shortBlog } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Course {
  readonly name: string;
  /** Number of posts published at first. */
  readonly posts: number;
  readonly builds: number;
  readonly editsAtOnce: number;
  /** If set, the number of published posts before each build is within these bounds. */
  readonly between?: readonly [number, number];
}

const COURSES: readonly Course[] = [
  { name: 'any edits to a small blog', posts: 45, builds: 16, editsAtOnce: 6 },
  { name: 'from nothing to a few posts and back', posts: 2, builds: 6, editsAtOnce: 1, between: [0, 4] },
  { name: 'across a page', posts: 50, builds: 6, editsAtOnce: 1, between: [47, 53] },
  { name: 'across ten pages and a segment', posts: 510, builds: 2, editsAtOnce: 2, between: [498, 530] },
  { name: 'across the size of a pack', posts: 1024, builds: 2, editsAtOnce: 2, between: [1020, 1028] },
  {
    name: 'across a large segment and a name table',
    posts: 2070,
    builds: 2,
    editsAtOnce: 2,
    between: [2040, 2060],
  },
];

describe(`seed ${SEED}: an incremental build equals a full build`, () => {
  test.each(COURSES)('$name', async (course) => {
    const folder = temporaryFolder();
    const path = join(folder, 'blog.db');
    const [out, fresh] = [join(folder, 'out'), join(folder, 'fresh')];
    const random = new Random(SEED, course.posts);
    shortBlog(path, course.posts, SEED);
    const blog = new EditedBlog(path, random);

    const log: string[] = [];
    onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}, ${course.name}:\n  ${log.join('\n  ')}`));
    let now = NOW;
    let limits = LIMITS;

    const builds = cases(course.builds);
    for (let build = 0; build < builds; build += 1) {
      if (course.between) blog.resize(random.between(...course.between));
      const edits = random.chance(0.1) ? 0 : random.between(1, course.editsAtOnce);
      const names = Array.from({ length: edits }, () => blog.edit());
      if (random.chance(0.15)) {
        // Sometimes a wrong clock is set back.
        const days = random.chance(0.3) ? -20 : 20;
        now = new Date(now.getTime() + random.between(1, Math.abs(days) * 86_400) * 1000 * Math.sign(days));
        names.push(`it is ${now.toISOString()}`);
      }
      if (random.chance(0.05)) {
        limits = { ...limits, minute: random.between(1, 1000) };
        names.push('other limits');
      }
      if (random.chance(0.05)) {
        rmSync(join(out, 'state'), { recursive: true, force: true });
        names.push('the folder state is lost');
      }
      if (random.chance(0.05)) {
        names.push('a backup is restored and edited', ...restoreAndEdit(blog, `${path}.backup`));
      }
      if (random.chance(0.1)) {
        blog.db.pragma('wal_checkpoint(TRUNCATE)');
        copyFileSync(path, `${path}.backup`);
        names.push('a backup is made');
      }
      log.push(`${build}: ${names.join(', ')}; ${blog.published()} published`);

      const options = { now, limits, force: true };
      const report = await publish(path, out, options);
      if (build === 0) continue; // This is a full build.
      rmSync(fresh, { recursive: true, force: true });
      const expected = await publish(path, fresh, { ...options, threads: true });

      expect(differences(out, fresh), 'the snapshot').toEqual([]);
      expect(comparable(report), 'the report').toEqual(comparable(expected));
      expect(objectsIn(fresh), 'a build from nothing writes what its snapshot names').toEqual(
        reachableIn(fresh),
      );
      if (course.posts < 100 || build === builds - 1)
        expect(disagreements(readPublished(out), readPlainly(path, now)), 'plain SQL').toEqual([]);
    }
    blog.db.close();
  });
});

/** Restores the last backup of the blog, and continues from there. */
function restoreAndEdit(blog: EditedBlog, backup: string): string[] {
  blog.reopen(() => {
    if (!existsSync(backup)) return;
    copyFileSync(backup, blog.path);
    for (const end of ['-wal', '-shm']) rmSync(blog.path + end, { force: true });
  });
  return [blog.edit(), blog.edit()];
}

/** A report without what depends on earlier builds. A row with several faults is named with the one found first. */
function comparable({ snapshot, posts, objects, skipped }: BuildReport) {
  const rows = skipped.map(({ table, row }) => `${table} ${row}`);
  return { snapshot, posts, total: objects.total, skipped: rows.sort() };
}
