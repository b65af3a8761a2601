import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../contract/policy.ts';
import { lacks } from '../../lacks.ts';
import { runOffprint } from '../offprint-process.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { CAN_TRACE } from '../system-calls.ts';
import { folderUntil } from '../temporary-folder.ts';
import { expectOneLine, expectUntouched, pointerFile } from '../untouched.ts';

// In a file of its own, with parallel tests: each waits for the build's timeout of ten seconds.
describe.concurrent('a database that another program locks', () => {
  test('the build waits, gives up and reports why, in each journal mode', async () => {
    const blogs = [await publishedBlog('WAL'), await publishedBlog('DELETE')];
    await Promise.all(
      blogs.map(async ({ db, out }) => {
        const before = pointerFile(out);
        const other = lock(db);
        try {
          expect(expectOneLine(await runOffprint(['build', '--db', db, '--out', out]))).toMatch(/locked/);
          expectUntouched(out, before);
        } finally {
          other.close();
        }
        expect((await runOffprint(['build', '--db', db, '--out', out])).code).toBe(0);
      }),
    );
  });

  test.skipIf(lacks('strace', CAN_TRACE))('for a moment: the build waits, then continues', async () => {
    const { db, out } = await publishedBlog('DELETE');
    const other = lock(db);
    const trace = `${out}.trace`;
    writeFileSync(trace, '');
    const building = runOffprint(['build', '--db', db, '--out', out], {
      under: ['strace', '-f', '-e', 'trace=fcntl', '-e', 'signal=none', '-o', trace],
    });
    await expect.poll(() => readFileSync(trace, 'utf8'), { interval: 10 }).toMatch(/F_RDLCK.* EAGAIN/);
    other.close();
    const { code, stderr } = await building;
    expect(code, stderr).toBe(0);
  });
});

async function publishedBlog(journal: string) {
  const folder = folderUntil(afterAll);
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 20, 14);
  await publish(db, out, { limits: DEFAULT_LIMITS });
  editing(db, (blog) => blog.exec("UPDATE posts SET title = title || '!'"));
  const blog = new Database(db);
  blog.pragma(`journal_mode = ${journal}`);
  blog.close();
  return { db, out };
}

/** Blocks readers too, until the returned connection is closed. */
function lock(db: string): Database.Database {
  const other = new Database(db);
  other.pragma('locking_mode = EXCLUSIVE');
  other.exec('BEGIN EXCLUSIVE; UPDATE posts SET views = views + 1');
  return other;
}
