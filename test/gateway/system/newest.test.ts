/**
 * Reading the pointer again for requests that need a newer snapshot.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { prune } from '../../../build/history/prune.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';
import { CurrentSnapshot } from '../../../gateway/snapshot/current.ts';
import { newestSnapshot } from '../../../gateway/snapshot/newest.ts';
import { Snapshot } from '../../../gateway/snapshot/snapshot.ts';
import { gatewayOf } from '../../changes/service.ts';
import { pointerOf } from '../../build/output.ts';
import { editing, publish, shortBlog } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';

async function publishedBlog() {
  const { db, out } = blogPaths();
  shortBlog(db, 5, 1);
  await publish(db, out);
  const edit = async (sql: string) => {
    editing(db, (blog) => blog.exec(sql));
    await publish(db, out, { force: true });
  };
  return { db, out, edit };
}

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

test.each([
  ['a newer snapshot', false],
  ['a newer snapshot that was served before', true],
])('a slow read of an older pointer does not replace %s', async (_, isServed) => {
  const { out, edit } = await publishedBlog();
  const first = pointerOf(out).snapshot;
  const disk = new DiskSnapshotStore(out);
  const old = await disk.readPointer();
  await edit("UPDATE posts SET title = 'Changed'");
  let arrive: (pointer: string) => void = () => undefined;
  const pointers = [new Promise<string>((resolve) => (arrive = resolve)), disk.readPointer()];
  if (isServed) pointers.unshift(disk.readPointer());
  const store = {
    readPointer: () => pointers.shift() ?? disk.readPointer(),
    readObject: disk.readObject.bind(disk),
    hashObject: disk.hashObject.bind(disk),
  };
  const current = new CurrentSnapshot(store, { objectBytes: 2 ** 20, answerBytes: 2 ** 20 });
  if (isServed) await current.refresh();
  const slow = current.refresh();
  const { id } = await current.refresh();
  arrive(old);
  expect((await slow).id).toBe(id);
  expect(current.get()?.id).toBe(id);
  expect(id).not.toBe(first);
});

test('an article whose object was pruned under a gateway is read from the newest snapshot', async () => {
  const { out, edit } = await publishedBlog();
  const behind = await gatewayOf(out);
  const [first] = await (await gatewayOf(out)).everything();
  const slug = first?.slug ?? '';
  for (let i = 0; i < 7; i++) await edit(`UPDATE posts SET body = '<p>Text ${i}.</p>'`);
  await prune(new FolderStorage(out), 0);
  expect(await behind.ask(`/posts/${slug}`)).toMatchObject({
    status: 200,
    snapshot: pointerOf(out).snapshot,
    body: { data: { content: '<p>Text 6.</p>' } },
  });
  expect(behind.faults).toEqual([]);
});

test.each([
  ["UPDATE posts SET body = '<p>The last.</p>'", 200],
  ['DELETE FROM posts WHERE id = 3', 404],
])('a request whose objects are pruned twice while it reads is answered: %s, %d', async (last, status) => {
  const { db, out, edit } = await publishedBlog();
  const slug = editing(db, (blog) =>
    blog.prepare<[], string>('SELECT slug FROM posts WHERE id = 3').pluck().get(),
  );
  /** More publishes than are kept; then the objects of those before are removed. */
  const replaceAll = async (sql: string) => {
    for (let i = 0; i < 6; i++) await edit(`UPDATE posts SET body = '<p>${sql.length} ${i}</p>'`);
    await edit(sql);
    await prune(new FolderStorage(out), 0);
  };
  const disk = new DiskSnapshotStore(out);
  let isFirst = true;
  const gateway = await gatewayOf({
    readPointer: () => disk.readPointer(),
    async readObject(kind, hash) {
      const bytes = await disk.readObject(kind, hash);
      // The gateway has just found the newest snapshot.
      if (kind === 'directory' && !isFirst && bytes) {
        isFirst = true;
        await replaceAll(last);
      }
      return bytes;
    },
    hashObject: disk.hashObject.bind(disk),
  });
  vi.useFakeTimers({ toFake: ['Date'] }); // Within the seconds in which an isolate does not look at the pointer.
  onTestFinished(() => void vi.useRealTimers());
  await gateway.get('/tags');
  await replaceAll("UPDATE posts SET title = title || '!'");
  isFirst = false;
  const reply = await gateway.ask(`/posts/${slug}`);
  expect([reply.status, gateway.faults]).toEqual([status, []]);
  if (status === 200) expect(reply.snapshot).toBe(pointerOf(out).snapshot);
});
