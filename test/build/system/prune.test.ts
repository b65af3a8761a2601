import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { publications, readPointer } from '../../../build/output/pointer-file.ts';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { prune, pruneIfDue } from '../../../build/history/prune.ts';
import { verify } from '../../../build/history/verify.ts';
import { objectsIn } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { folderUntil, temporaryFolder } from '../temporary-folder.ts';
import { offprint } from '../../service/command.ts';
import { changesBy, dyingBefore } from '../../service/dying.ts';

const POSTS = 120;

/** A blog published eight times, with every article changed each time: two snapshots are too old to be kept. */
let published: string;

beforeAll(async () => {
  const folder = folderUntil(afterAll);
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, POSTS, 21);
  for (let generation = 1; generation <= 8; generation++) {
    editing(db, (blog) => touchEveryPost(blog, generation));
    await publish(db, out);
  }
  published = out;
});

/** A copy of it, with the same file times. */
function copyOfPublished(): string {
  const out = join(temporaryFolder(), 'out');
  cpSync(published, out, { recursive: true, preserveTimestamps: true });
  return out;
}

async function expectKeptComplete(out: string): Promise<void> {
  const pointer = readPointer(out);
  const kept = pointer ? publications(pointer) : [];
  expect(kept.length).toBe(6);
  for (const { snapshot } of kept)
    expect((await verify(new FolderStorage(out), { snapshot })).faults).toEqual([]);
}

test('prune removes objects that no kept snapshot names, once they are old enough', async () => {
  const out = copyOfPublished();
  const before = objectsIn(out).length;
  expect((await prune(new FolderStorage(out))).removed).toBe(0);
  const now = () => new Date(Date.now() + 600_000);
  const { removed, kept } = await prune(new FolderStorage(out, { now }));
  expect(removed).toBeGreaterThanOrEqual(2 * POSTS);
  expect(kept).toBe(before - removed);
  expect(objectsIn(out).length).toBe(kept);
  await expectKeptComplete(out);
});

test('prune leaves every kept snapshot complete if it is killed', async () => {
  const pruneUntil = (out: string, change: number) =>
    offprint(['snapshots', 'prune', '--now', '--out', out], undefined, dyingBefore(change));
  const changes = changesBy((await pruneUntil(copyOfPublished(), Infinity)).stderr);
  expect(changes).toBeGreaterThan(2 * POSTS);
  const out = copyOfPublished();
  // In the beginning, at the first removals and in the middle of the rest.
  for (const change of [1, 2, 10, changes / 4, changes / 4]) {
    expect((await pruneUntil(out, Math.round(change))).code).toBeNull();
    await expectKeptComplete(out);
  }
  await prune(new FolderStorage(out), 0);
  expect((await prune(new FolderStorage(out), 0)).removed).toBe(0);
  await expectKeptComplete(out);
});

test('a build prunes on its own, once a day', async () => {
  const out = copyOfPublished();
  const now = new Date();
  expect(await pruneIfDue(out, now)).toBeUndefined(); // The first build only starts the period.
  expect(await pruneIfDue(out, new Date(now.getTime() + 3_600_000))).toBeUndefined();
  expect((await pruneIfDue(out, new Date(now.getTime() + 25 * 3_600_000)))?.removed).toBeGreaterThanOrEqual(
    2 * POSTS,
  );
  await expectKeptComplete(out);
});
