import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { writeOddBlog } from '../../service/odd-blog.ts';
import { runOffprint, type RunOptions } from '../offprint-process.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { brokenObjects, differences, directoryOf, objectsIn, pointerOf } from '../output.ts';
import { CONFIG, editing, NOW, publish } from '../publishing.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';

describe('the same database gives the same bytes', () => {
  test('in any folder, time zone and locale, on any number of cores', async () => {
    const folder = temporaryFolder();
    const db = join(folder, 'blog.db');
    generateBlog(db, { posts: 140, seed: 5 });
    const config = join(folder, 'offprint.json');
    writeFileSync(config, CONFIG);
    const build = async (name: string, options: RunOptions): Promise<string> => {
      const out = join(folder, name);
      const args = ['build', '--db', db, '--out', out, '--config', config];
      const { code, stderr } = await runOffprint(args, options);
      expect(code, stderr).toBe(0);
      return out;
    };

    const first = await build('first', {});
    const others = [
      await build('deeper/and with a space', {
        env: { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      }),
      await build('elsewhere, on one core', {
        cwd: folder,
        under: hasTaskset() ? ['taskset', '-c', '0'] : [],
        env: { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' },
      }),
    ];
    await publish(db, join(folder, 'in-process'), {
      now: new Date('2031-01-01T00:00:00Z'),
      builtBy: 'another',
    });

    for (const other of [...others, join(folder, 'in-process')]) {
      expect(differences(other, first)).toEqual([]);
      expect(objectsIn(other)).toEqual(objectsIn(first));
      // Only the pointer has the time and place of the build. The epoch of the record of changes is random.
      const { built_at: _, built_by: __, changes, ...pointer } = pointerOf(other);
      expect(changes).toEqual({ ...pointerOf(first).changes, epoch: expect.any(String) });
      expect(pointerOf(first)).toMatchObject(pointer);
    }
  });

  test('from a copy of the database, after a vacuum, and with another journal', async () => {
    const folder = temporaryFolder();
    const [db, copy] = [join(folder, 'blog.db'), join(folder, 'copy.db')];
    generateBlog(db, { posts: 120, seed: 6 });
    editing(db, (blog) => blog.pragma('wal_checkpoint(TRUNCATE)'));
    copyFileSync(db, copy);
    editing(copy, (blog) => {
      blog.exec('VACUUM; ANALYZE; REINDEX');
      blog.pragma('journal_mode = DELETE');
    });
    await publish(db, join(folder, 'a'));
    await publish(copy, join(folder, 'b'));
    expect(differences(join(folder, 'b'), join(folder, 'a'))).toEqual([]);
  });
});

describe('objects', () => {
  test.each([
    ['generated', (db: string) => void generateBlog(db, { posts: 120, seed: 7 })],
    ['odd', writeOddBlog],
  ])('of the %s blog are named by their content, and contain no path or time', async (_, write) => {
    const { folder, db, out } = blogPaths();
    write(db);
    await publish(db, out, { now: NOW });

    const objects = objectsIn(out);
    expect(objects.length).toBeGreaterThan(50);
    expect(brokenObjects(out, objects)).toEqual([]);
    const known = timestampsOf(db);
    const files = new Set(directoryOf(out).files.map(({ hash }) => objectPath('body', hash)));
    const secrets = [folder, out, process.cwd(), homedir(), tmpdir(), hostname(), 'node_modules'];
    for (const path of objects) {
      const text = readFileSync(join(out, path), 'utf8');
      expect(
        secrets.filter((secret) => secret.length > 3 && text.includes(secret)),
        path,
      ).toEqual([]);
      if (files.has(path)) continue; // The API reference contains example dates of its own.
      const moments = text.match(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g) ?? [];
      expect(
        moments.filter((moment) => !known.has(moment)),
        path,
      ).toEqual([]);
    }
  });

  test('are never rewritten', async () => {
    const { db, out } = blogPaths();
    generateBlog(db, { posts: 20, seed: 8 });
    await publish(db, out);
    const before = new Map(objectsIn(out).map((path) => [path, statSync(join(out, path)).ino]));
    editing(db, (blog) => blog.prepare("UPDATE posts SET title = title || '!'").run());
    await publish(db, out);
    for (const [path, inode] of before) expect(statSync(join(out, path)).ino, path).toBe(inode);
  });
});

function hasTaskset(): boolean {
  return spawnSync('taskset', ['-c', '0', 'true']).status === 0;
}

/** All timestamps in the blog's own texts, as the API shows them. */
function timestampsOf(db: string): Set<string> {
  const dates = editing(db, (blog) =>
    blog
      .prepare<[], string>(
        `SELECT published_at FROM posts WHERE published_at IS NOT NULL
         UNION SELECT updated_at FROM posts WHERE updated_at IS NOT NULL`,
      )
      .pluck()
      .all(),
  );
  return new Set(dates.map((date) => date.replace(/Z$/, '+00:00')));
}
