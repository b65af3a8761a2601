import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editOneBody, touchEveryPost } from '../../bench/generate/changes.ts';
import { runOffprint } from './offprint-process.ts';
import { editing, shortBlog } from './publishing.ts';
import { CAN_TRACE, faultsOfOrder, tracing } from './system-calls.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { lacks } from '../lacks.ts';

describe('a published snapshot survives a power failure', () => {
  test.skipIf(lacks('strace', CAN_TRACE))(
    'every file and name is flushed before the pointer (skipped without strace)',
    async () => {
      const folder = temporaryFolder();
      const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
      shortBlog(db, 130, 17);
      const changes: readonly (readonly [string, () => unknown])[] = [
        ['the first build', () => undefined],
        ['every post changed', () => editing(db, (blog) => touchEveryPost(blog, 2))],
        ['one body changed', () => editing(db, (blog) => editOneBody(blog, 1))],
      ];
      for (const [name, change] of changes) {
        change();
        const file = join(folder, 'trace');
        const under = tracing(file);
        const { code, stderr } = await runOffprint(['build', '--db', db, '--out', out], {
          under,
          cwd: tmpdir(),
        });
        expect(code, stderr).toBe(0);
        const trace = readFileSync(file, 'utf8');
        expect(trace, 'the trace has the switch of the pointer').toMatch(/rename.*"[^"]*\/snapshot\.json"/);
        expect(faultsOfOrder(trace, tmpdir(), out), name).toEqual([]);
      }
    },
  );

  const flushed = (path: string) => `7 openat(3, "${path}", O_WRONLY|O_CREAT) = 4\n7 fsync(4<${path}>) = 0\n`;
  const switched = `${flushed('/o/p')}7 rename("/o/p", "/o/snapshot.json") = 0\n7 fsync(5</o>) = 0\n`;
  const placed = '7 rename("/o/s/a", "/o/objects/a") = 0\n';
  test.each([
    ['nothing', `${flushed('/o/s/a')}${placed}7 fsync(5</o/objects>) = 0\n${switched}`, []],
    [
      'all at once',
      `7 openat(3, "/o/s/a", O_RDWR) = 4\n9 syncfs(3</o>) = 0\n${placed}9 syncfs(3</o>) = 0\n${switched}`,
      [],
    ],
    [
      'a file that is not flushed',
      `7 openat(3, "/o/s/a", O_WRONLY) = 4\n${placed}9 syncfs(3</o>) = 0\n${switched}`,
      [/before .*\/a is flushed/],
    ],
    [
      'a folder that is not',
      `${flushed('/o/s/a')}${placed}${switched}`,
      [/before the name \/o\/objects\/a is flushed/],
    ],
    [
      'an object written in place',
      `${flushed('/o/objects/a')}9 syncfs(3</o>) = 0\n${switched}`,
      [/in place/],
    ],
    [
      'a flush that is not done yet',
      `${flushed('/o/s/a')}${placed}9 syncfs(3</o> <unfinished ...>\n${switched}`,
      [/before the name \/o\/objects\/a is flushed/],
    ],
  ])('(self-test of the check: %s)', (_, trace, faults) => {
    expect(faultsOfOrder(trace, '/', '/o')).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });
});
