import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { objectPath } from '../../contract/object-name.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { RecentReads } from '../../gateway/node/recent-reads.ts';
import { ObjectUnreadable } from '../../gateway/snapshot/objects.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

const [ONE, OTHER] = [objectHash(Buffer.from('one')), objectHash(Buffer.from('other'))];

/** A clock in milliseconds, and reads that take a time by it. */
function recentReads() {
  let now = 0;
  const reads = new RecentReads(() => now);
  return {
    reads,
    pass: (ms: number) => (now += ms),
    read(hash: typeof ONE, ms: number) {
      const [startedAt, byPool] = [now, !reads.has(hash)];
      now += ms;
      reads.add(hash, startedAt, byPool);
    },
  };
}

describe('recent reads', () => {
  it('need a quick second read of some object', () => {
    const { reads, read } = recentReads();
    read(ONE, 0.1);
    expect(reads.has(ONE)).toBe(false);
    read(ONE, 0.1);
    expect(reads.has(ONE)).toBe(true);
    expect(reads.has(OTHER)).toBe(false);
    read(OTHER, 30);
    expect(reads.has(OTHER)).toBe(true);
  });

  it('never trust a folder whose every read is slow', () => {
    const { reads, read } = recentReads();
    for (let i = 0; i < 100; i++) {
      read(ONE, 5);
      expect(reads.has(ONE)).toBe(false);
    }
  });

  it('are read by the thread pool for two seconds after two slow ones', () => {
    const { reads, read, pass } = recentReads();
    for (let i = 0; i < 66; i++) read(ONE, 1);
    read(ONE, 6);
    expect(reads.has(ONE)).toBe(true);
    for (let i = 0; i < 63; i++) read(ONE, 1);
    read(ONE, 6);
    expect(reads.has(ONE)).toBe(false);
    pass(1500);
    read(ONE, 1);
    expect(reads.has(ONE)).toBe(false);
    pass(1000);
    read(ONE, 1);
    expect(reads.has(ONE)).toBe(true);
  });

  it('stay trusted while other objects wait for the thread pool', () => {
    const { reads } = recentReads();
    reads.add(ONE, 0, true);
    reads.add(ONE, 0, true);
    for (let i = 0; i < 10; i++) reads.add(ONE, -100, true);
    expect(reads.has(ONE)).toBe(true);
  });

  it('are forgotten after two minutes', () => {
    const { reads, read, pass } = recentReads();
    read(ONE, 1);
    read(ONE, 1);
    pass(61_000);
    expect(reads.has(ONE)).toBe(true);
    pass(61_000);
    expect(reads.has(ONE)).toBe(false);
  });

  it('are forgotten after many others', () => {
    const { reads, read } = recentReads();
    read(ONE, 1);
    read(ONE, 1);
    for (let i = 0; i < 70_000; i++) read(objectHash(Buffer.from(String(i))), 0);
    expect(reads.has(ONE)).toBe(false);
  });
});

describe('objects in the output folder', () => {
  /** A store with one object, which was read often enough to be read at once. */
  async function storeWith(bytes: Buffer) {
    const out = temporaryFolder();
    const hash = objectHash(bytes);
    const path = join(out, objectPath('post', hash));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const store = new DiskSnapshotStore(out, () => 0);
    for (let i = 0; i < 2; i++)
      expect(bytes.equals((await store.readObject('post', hash)) ?? new Uint8Array())).toBe(true);
    return { store, hash, path };
  }

  it('are read at once if they were read lately', async () => {
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'));
    const bytes = store.readObject('post', hash);
    expect(bytes).toEqual(new Uint8Array(Buffer.from('{"a":1}')));
    const again = store.readObject('post', hash);
    expect(again).toEqual(bytes);
    expect(again).not.toBe(bytes);
  });

  it('are read by the thread pool if they are large', async () => {
    const bytes = Buffer.alloc(2 ** 17, 'x');
    const { store, hash } = await storeWith(bytes);
    expect(store.readObject('post', hash)).toBeInstanceOf(Promise);
  });

  it('are checked each time', async () => {
    const { store, hash, path } = await storeWith(Buffer.from('{"a":1}'));
    writeFileSync(path, '{"a":2}');
    expect(() => store.readObject('post', hash)).toThrow(ObjectUnreadable);
  });
});
