import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { SILENT } from '../../../common/progress.ts';
import { messagesOf, runOffprint } from '../offprint-process.ts';
import { brokenObjects, differences, objectsIn } from '../output.ts';
import { CONFIG, editing, publish, shortBlog } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectUntouched, pointerFile } from '../untouched.ts';
import { OFFPRINT } from '../../service/program.ts';

const ANOTHER = /^error: Another build is writing to .+\.$/;

/** Fewer than 128 posts: a build by the command line starts no threads, which take a second. */
function publishedBlog() {
  const folder = temporaryFolder();
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  writeFileSync(config, CONFIG);
  shortBlog(db, 110, 12);
  const command = ['build', '--db', db, '--out', out, '--config', config];
  return { db, out, fresh: join(folder, 'fresh'), command };
}

describe('two builds at once', () => {
  test('the second reports the first and changes nothing, at any step of the first', async () => {
    const { db, out, fresh, command } = publishedBlog();
    await publish(db, out);
    editing(db, (blog) => touchEveryPost(blog, 2));
    const before = pointerFile(out);
    const steps: string[] = [];
    const progress = {
      ...SILENT,
      begin(step: string) {
        steps.push(step);
        const { status, stderr, stdout } = spawnSync(process.execPath, [OFFPRINT, ...command], {
          encoding: 'utf8',
          env: { ...process.env, NO_COLOR: '1' }, // A test runner may force colours.
        });
        expect({ status, stdout, lines: messagesOf(stderr) }, step).toEqual({
          status: 1,
          stdout: '',
          lines: [expect.stringMatching(ANOTHER)],
        });
        expectUntouched(out, before);
      },
    };
    await publish(db, out, { progress });
    expect(steps.length).toBeGreaterThan(1);
    await publish(db, fresh);
    expect(differences(out, fresh)).toEqual([]);
  });

  test('of many parallel builds, some publish, all others report why not, and nothing is mixed', async () => {
    const { db, out, fresh, command } = publishedBlog();
    await publish(db, out);
    editing(db, (blog) => touchEveryPost(blog, 2));
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => runOffprint(command)));
    expect(outcomes.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    for (const { code, stderr } of outcomes) {
      const lines = code === 0 ? [] : [expect.stringMatching(ANOTHER)];
      expect({ failed: code !== 0, lines: messagesOf(stderr) }).toEqual({ failed: code === 1, lines });
    }
    await publish(db, fresh);
    expect(differences(out, fresh)).toEqual([]);
    expect(brokenObjects(out, objectsIn(out))).toEqual([]);
  });
});

describe('what a killed build may leave', () => {
  test('half-written objects under their final names are not trusted', async () => {
    const { db, out, fresh } = publishedBlog();
    await publish(db, out);
    editing(db, (blog) => touchEveryPost(blog, 2));
    await publish(db, fresh);
    const old = new Set(objectsIn(out));
    const coming = objectsIn(fresh).filter((path) => !old.has(path));
    expect(coming.length).toBeGreaterThan(110);
    for (const [i, path] of coming.entries()) if (i % 7 === 0) writeHalf(fresh, out, path);
    await publish(db, out);
    expect(brokenObjects(out, objectsIn(out)).length).toBe(0);
    expect(differences(out, fresh)).toEqual([]);
  });
});

/** Replaces an object by its first half. */
function writeHalf(from: string, to: string, path: string): void {
  const bytes = readFileSync(join(from, path));
  mkdirSync(dirname(join(to, path)), { recursive: true });
  writeFileSync(join(to, path), bytes.subarray(0, bytes.length / 2));
}
