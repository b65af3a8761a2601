/** Where the disk of a database is full, each command says so, and nothing else is wrong. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAN_MOUNT, fill, smallDisk } from '../../build/tmpfs.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { runOffprint } from '../../build/offprint-process.ts';
import { lacks } from '../../lacks.ts';

const POSTS = join(import.meta.dirname, '../../../data/sample');

test.skipIf(lacks('permission to mount', CAN_MOUNT))(
  'a full disk is what each command names, and all go on when there is room',
  async () => {
    const { folder } = smallDisk(64 * 2 ** 20);
    const files = ['--db', join(folder, 'blog.db'), '--out', join(folder, 'out')];
    const site = ['--site', 'https://press.example'];
    expect((await runOffprint(['import', 'markdown', POSTS, ...files, ...site])).code).toBe(0);
    expect((await runOffprint(['build', ...files])).code).toBe(0);
    const more = join(temporaryFolder(), 'more');
    mkdirSync(more);
    cpSync(POSTS, more, { recursive: true });
    rmSync(join(more, 'posts', '2026-01-26-offprint-from-end-to-end.md'));

    fill(folder);
    for (const command of [
      ['import', 'markdown', more, ...files, ...site],
      ['build', ...files],
      ['keys', 'create', '--account', 'ada', '--name', 'first', '--json', ...files],
      ['withdraw', 'brevity', ...files],
      ['backup', join(folder, 'backup.db'), ...files],
    ]) {
      const { code, stderr } = await runOffprint(command);
      expect(code, command.join(' ')).not.toBe(0);
      const lines = stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('note: Results cannot be written'));
      expect(lines, command.join(' ')).toEqual([expect.stringMatching(/^error: .*disk is full/)]);
      expect(stderr, command.join(' ')).not.toContain('cannot be read as a database');
    }
    const examined = await runOffprint(['doctor', ...files]);
    expect(examined.stdout).not.toMatch(/its permissions|Restore a backup|a bug/);

    rmSync(join(folder, 'filler'));
    expect((await runOffprint(['import', 'markdown', more, ...files, ...site])).code).toBe(0);
    expect((await runOffprint(['build', ...files])).code).toBe(0);
    expect((await runOffprint(['backup', join(folder, 'backup.db'), ...files])).code).toBe(0);
  },
);
