import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editOneBody, touchEveryPost } from '../../../bench/generate/changes.ts';
import { runOffprint } from '../offprint-process.ts';
import { editing, shortBlog } from '../publishing.ts';
import { CAN_TRACE, faultsOfOrder, tracing } from '../system-calls.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';
import { lacks } from '../../lacks.ts';

describe('a published snapshot survives a power failure', () => {
  test.skipIf(lacks('strace', CAN_TRACE))(
    'every file and name is flushed before the pointer (skipped without strace)',
    async () => {
      const { folder, db, out } = blogPaths();
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
});

describe('a file system that cannot flush folders', () => {
  const flushing = `import { flush } from '${new URL('../../../common/flush.ts', import.meta.url).href}';`;
  test.skipIf(lacks('strace', CAN_TRACE)).each([
    ['folder', '', 'EOPNOTSUPP'],
    ['folder', '', 'ENOSYS'],
    ['folder', '', 'EBADF'],
    ['folder', 'EIO', 'EIO'],
    ['file', 'ENOSYS', 'ENOSYS'],
  ])('is used: a %s fails with "%s" (%s)', (kind, failure, code) => {
    const path = kind === 'file' ? join(temporaryFolder(), 'a') : temporaryFolder();
    if (kind === 'file') writeFileSync(path, '');
    const program = `${flushing} flush('${kind}', ${JSON.stringify(path)})`;
    const node = [process.execPath, '--input-type=module', '-e', program];
    const strace = ['-f', '-q', '-o', '/dev/null', '-e', `inject=fsync:error=${code}`, ...node];
    const { stderr } = spawnSync('strace', strace, { encoding: 'utf8' });
    expect(/E[A-Z]+(?=:)/.exec(stderr)?.[0] ?? '').toBe(failure);
  });
});
