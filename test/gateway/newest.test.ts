/**
 * Reading the pointer again for requests that need a newer snapshot.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prune } from '../../build/history/prune.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { newestSnapshot } from '../../gateway/snapshot/newest.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { gatewayOf } from '../changes/service.ts';
import { pointerOf } from '../build/output.ts';
import { editing, publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

/** A clock that moves only while something waits for it. */
function clockFrom(start: number) {
  const clock = {
    time: start,
    now: () => clock.time,
    async wait(ms: number) {
      await Promise.resolve();
      clock.time += ms;
    },
  };
  return clock;
}

test('the pointer is read at most once a second, and after each request that waits for it', async () => {
  const clock = clockFrom(5000);
  const reads: number[] = [];
  const read = async () => {
    reads.push(clock.now());
    return Object.create(Snapshot.prototype) as Snapshot;
  };
  const newest = newestSnapshot(read, clock);
  await Promise.all([newest(), newest(), newest()]);
  // The first read had begun when the others came, so these share the next one.
  expect(reads).toEqual([5000, 6000]);
  clock.time = 6500;
  await newest();
  clock.time = 9000;
  await newest();
  expect(reads).toEqual([5000, 6000, 7000, 9000]);
});

test('the pointer is read again after a read that failed', async () => {
  const clock = clockFrom(0);
  let isBroken = true;
  const snapshot = Object.create(Snapshot.prototype) as Snapshot;
  const newest = newestSnapshot(async () => {
    if (isBroken) throw new Error('The bucket does not answer.');
    return snapshot;
  }, clock);
  await expect(newest()).rejects.toThrow('does not answer');
  await expect(newest()).rejects.toThrow('does not answer');
  isBroken = false;
  expect(await newest()).toBe(snapshot);
});

test('a slow read of an older pointer does not replace a newer snapshot', async () => {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 5, 1);
  await publish(db, out);
  const first = pointerOf(out).snapshot;
  const disk = new DiskSnapshotStore(out);
  const old = await disk.readPointer();
  editing(db, (blog) => blog.exec("UPDATE posts SET title = 'Changed'"));
  await publish(db, out);
  let arrive: (pointer: string) => void = () => undefined;
  const pointers = [new Promise<string>((resolve) => (arrive = resolve)), disk.readPointer()];
  const store = {
    readPointer: () => pointers.shift() ?? disk.readPointer(),
    readObject: disk.readObject.bind(disk),
    hashOf: disk.hashOf.bind(disk),
  };
  const current = new CurrentSnapshot(store, { objectBytes: 2 ** 20, answerBytes: 2 ** 20 });
  const slow = current.refresh();
  const { id } = await current.refresh();
  arrive(old);
  expect((await slow).id).toBe(id);
  expect(current.get()?.id).toBe(id);
  expect(id).not.toBe(first);
});

test('an article whose object was pruned under a gateway is read from the newest snapshot', async () => {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 5, 1);
  await publish(db, out);
  const behind = await gatewayOf(out);
  const [first] = await (await gatewayOf(out)).everything();
  const slug = first?.slug ?? '';
  for (let i = 0; i < 7; i++) {
    editing(db, (blog) => blog.exec(`UPDATE posts SET body = '<p>Text ${i}.</p>'`));
    await publish(db, out);
  }
  prune(out, new Date(), 0);
  expect(await behind.ask(`/posts/${slug}`)).toMatchObject({
    status: 200,
    snapshot: pointerOf(out).snapshot,
    body: { data: { content: '<p>Text 6.</p>' } },
  });
  expect(behind.faults).toEqual([]);
});
