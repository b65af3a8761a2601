/**
 * The progress of an import adds up, so that the estimated time is right.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBlog } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import type { Progress } from '../../common/progress.ts';
import { emptyBlog, folderOf, NOW } from './folder.ts';
import { item, wxr } from './wordpress/export.ts';

/** Reported steps: name, announced items, and reported items. */
function recorder(): { steps: [string, number, number][]; open: () => number; progress: Progress } {
  const steps: [string, number, number][] = [];
  let open = 0;
  const progress: Progress = {
    begin(step, total) {
      open += 1;
      steps.push([step, total, 0]);
    },
    advance(pieces) {
      const last = steps.at(-1);
      if (last) last[2] += pieces;
    },
    end: () => void (open -= 1),
  };
  return { steps, open: () => open, progress };
}

const many = ['1', '2', '3'].map((id) => item({ 'wp:post_id': id, 'wp:post_name': `p${id}` })).join('');

it('reports both readings of the files of a WordPress export, then each post', async () => {
  const folder = folderOf({ 'a.xml': wxr(many), 'b.xml': wxr(many) });
  const { steps, open, progress } = recorder();
  const items = readBlog('wordpress', [join(folder, 'a.xml'), join(folder, 'b.xml')], { now: NOW, progress });
  await importBlog({ db: emptyBlog(), items, progress });
  // The second file has the same posts.
  expect(steps).toEqual([
    ['reading files', 4, 4],
    ['posts', 3, 3],
  ]);
  expect(open()).toBe(0);
});

it('ends a started step if the export is truncated or invalid', async () => {
  const { open, progress } = recorder();
  const folder = folderOf({ 'a.xml': '<html>' });
  const items = readBlog('wordpress', [join(folder, 'a.xml')], { now: NOW, progress });
  await expect(importBlog({ db: emptyBlog(), items, progress })).rejects.toThrow();
  expect(open()).toBe(0);
});
