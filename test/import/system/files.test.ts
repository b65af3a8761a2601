import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filesBelow } from '../../../import/sources/files.ts';
import { computeFingerprint } from '../../../import/sources/fingerprint.ts';
import { readBlog } from '../../../import/formats.ts';
import type { ImportedItem } from '../../../import/imported-item.ts';
import { folderOf } from '../folder.ts';

it('finds every file, sorted by name, folder by folder', async () => {
  const paths = ['a-b.md', 'a/b.md', 'a.md', '.hidden', '[x]/!(y).md', 'back\\slash', 'B', 'é'];
  const folder = folderOf(Object.fromEntries(paths.map((path) => [path, ''])));
  expect(await filesBelow(folder)).toEqual(
    ['.hidden', 'B', '[x]/!(y).md', 'a/b.md', 'a-b.md', 'a.md', 'back\\slash', 'é'].map((path) => ({
      path,
      kind: 'file',
    })),
  );
});

it('names what it leaves out', async () => {
  const folder = folderOf({
    'two\nlines.md': '',
    'two\u2028lines/in.md': '',
    'deep/node_modules/x/y.md': '',
    '_site/z.md': '',
  });
  mkdirSync(join(folder, 'there'));
  symlinkSync('there', join(folder, 'link'));
  expect(await filesBelow(folder)).toEqual([
    { path: '_site/', kind: 'skipped', reason: 'is the output of a site generator' },
    { path: 'deep/node_modules/', kind: 'skipped', reason: 'has installed packages' },
    { path: 'link', kind: 'skipped', reason: 'is a symbolic link, and these are not followed' },
    { path: 'two\nlines.md', kind: 'skipped', reason: 'has a line break in its name' },
    { path: 'two\u2028lines', kind: 'skipped', reason: 'has a line break in its name' },
  ]);
});

it('names a folder that cannot be read', async () => {
  const folder = folderOf({ 'closed/in.md': '', 'open.md': '' });
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'closed'), 0o000);
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.(65_534); // Root can read everything.
  onTestFinished(() => {
    process.seteuid?.(user ?? 0);
    chmodSync(join(folder, 'closed'), 0o755);
  });
  expect(await filesBelow(folder)).toEqual([
    { path: 'closed', kind: 'skipped', reason: 'cannot be read (EACCES)' },
    { path: 'open.md', kind: 'file' },
  ]);
});

it('imports nothing if files changed during the import', async () => {
  const folder = folderOf({ '2024-01-01-a.md': '---\ntitle: A\n---\nText.' });
  const read = async (before: string): Promise<ImportedItem[]> => {
    const items: ImportedItem[] = [];
    for await (const item of readBlog('markdown', [folder], { now: new Date() }, before)) items.push(item);
    return items;
  };
  const before = await computeFingerprint([folder]);
  expect(await read(before)).toContainEqual(expect.objectContaining({ kind: 'post' }));
  writeFileSync(join(folder, '2024-01-02-b.md'), '---\ntitle: B\n---\nText.');
  await expect(read(before)).rejects.toThrow('changed while being read');
});

it.each<readonly [string, (folder: string) => void]>([
  ['written in place', (folder) => writeFileSync(join(folder, 'a.md'), 'draft: true ')],
  [
    'copied over it, times and all',
    (folder) => void execFileSync('cp', ['-p', 'b.md', 'a.md'], { cwd: folder }),
  ],
  ['moved over it', (folder) => renameSync(join(folder, 'b.md'), join(folder, 'a.md'))],
])('sees an edit of the same size and time of modification: %s', async (_, edit) => {
  const folder = folderOf({ 'a.md': 'draft: false', 'b.md': 'draft: true ' });
  const file = join(folder, 'a.md');
  for (const name of ['a.md', 'b.md']) utimesSync(join(folder, name), 1, 1);
  const before = await computeFingerprint([file]);
  expect(await computeFingerprint([file])).toBe(before);
  waitForNextTime(folder);
  edit(folder);
  utimesSync(file, 1, 1);
  expect(await computeFingerprint([file])).not.toBe(before);
});

it.each(['.obsidian', 'a/.obsidian', 'a/b/.obsidian'])('sees an empty %s', async (vault) => {
  const folder = folderOf({ 'a/b/c.md': '' });
  const imported = join(folder, 'a');
  const before = await computeFingerprint([imported]);
  mkdirSync(join(folder, vault));
  expect(await computeFingerprint([imported])).not.toBe(before);
  rmdirSync(join(folder, vault));
  expect(await computeFingerprint([imported])).toBe(before);
});

/** The clock of a file system has steps of some milliseconds. */
function waitForNextTime(folder: string): void {
  const timeNow = () => {
    writeFileSync(join(folder, 'clock'), '');
    return statSync(join(folder, 'clock'), { bigint: true }).ctimeNs;
  };
  const begin = timeNow();
  while (timeNow() === begin);
}
