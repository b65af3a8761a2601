import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { RecentReads } from '../../gateway/node/recent-reads.ts';
import { ObjectUnreadable } from '../../gateway/snapshot/objects.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

/** So that setting it leaves no trace in the time of the content. */
const WHOLE_SECOND = new Date('2026-01-01T00:00:00Z');

const [ONE, OTHER] = [objectHash(Buffer.from('one')), objectHash(Buffer.from('other'))];

/** A clock in milliseconds, and reads without the thread pool that take a time by it. */
function recentReads() {
  let now = 0;
  const reads = new RecentReads(() => now);
  return {
    reads,
    pass: (ms: number) => (now += ms),
    read(ms: number) {
      const startedAt = now;
      now += ms;
      reads.wasReadSince(startedAt);
    },
  };
}

describe('recent reads', () => {
  it('are known with the version of their file', () => {
    const { reads } = recentReads();
    expect(reads.versionOf(ONE)).toBeUndefined();
    reads.add(ONE, 7);
    reads.add(OTHER, 2 ** 32 - 1);
    expect([reads.versionOf(ONE), reads.versionOf(OTHER)]).toEqual([7, 2 ** 32 - 1]);
    reads.add(ONE, 8);
    expect(reads.versionOf(ONE)).toBe(8);
  });

  it('are read by the thread pool for two seconds after four slow ones, and twice as long after one more', () => {
    const { reads, read, pass } = recentReads();
    reads.add(ONE, 7);
    for (let i = 0; i < 3; i++) read(6);
    expect(reads.versionOf(ONE)).toBe(7);
    read(6);
    expect(reads.versionOf(ONE)).toBeUndefined();
    pass(1999);
    expect(reads.versionOf(ONE)).toBeUndefined();
    pass(1);
    expect(reads.versionOf(ONE)).toBe(7);
    read(6);
    pass(3999);
    expect(reads.versionOf(ONE)).toBeUndefined();
    pass(1);
    expect(reads.versionOf(ONE)).toBe(7);
  });

  it('of a folder that is always slow hold up others once in ten minutes', () => {
    const { reads, read, pass } = recentReads();
    let held = 0;
    for (let second = 0; second < 24 * 3600; second++) {
      reads.add(ONE, 7);
      if (reads.versionOf(ONE) !== undefined) {
        read(30);
        held += 1;
      }
      pass(1000);
    }
    expect(held).toBeGreaterThan(140);
    expect(held).toBeLessThan(160);
  });

  it('stay as they are if one in a hundred is slow', () => {
    const { reads, read } = recentReads();
    for (let i = 0; i < 10_000; i++) {
      reads.add(ONE, 7);
      read(i % 100 === 0 ? 20 : 0.1);
      expect(reads.versionOf(ONE)).toBe(7);
    }
  });

  it('pause briefly again after a slow time is over', () => {
    const { reads, read, pass } = recentReads();
    reads.add(ONE, 7);
    for (let i = 0; i < 6; i++) {
      read(6);
      pass(60_000);
    }
    for (let i = 0; i < 200; i++) read(0.1);
    for (let i = 0; i < 4; i++) read(6);
    pass(2000);
    expect(reads.versionOf(ONE)).toBe(7);
  });

  it('are forgotten after ten minutes', () => {
    const { reads, pass } = recentReads();
    reads.add(ONE, 7);
    pass(599_000);
    expect(reads.versionOf(ONE)).toBe(7);
    pass(2000);
    expect(reads.versionOf(ONE)).toBeUndefined();
  });

  it('are a hundred thousand, the latest', () => {
    const { reads, pass } = recentReads();
    const hashes = Array.from({ length: 180_000 }, (_, i) => `hash-${i}`);
    const known = (some: typeof hashes) =>
      some.filter((hash) => reads.versionOf(hash) !== undefined).length / some.length;
    for (const [i, hash] of hashes.entries()) {
      if (i % 1000 === 0) pass(1000);
      reads.add(hash, i);
    }
    expect(known(hashes.slice(-60_000))).toBeGreaterThan(0.9);
    expect(known(hashes.slice(0, 20_000))).toBeLessThan(0.3);
  });
});

describe('objects in the output folder', () => {
  /** A store with one object, which was read. @param ageMs of its file @param now its clock */
  async function storeWith(bytes: Buffer, ageMs = 60_000, now = () => 0) {
    const out = temporaryFolder();
    const hash = objectHash(bytes);
    const path = join(out, objectPath('post', hash));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    utimesSync(path, WHOLE_SECOND, WHOLE_SECOND);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ageMs });
    const store = new DiskSnapshotStore(out, now);
    expect(bytes.equals((await store.readObject('post', hash)) ?? new Uint8Array())).toBe(true);
    return { store, hash, path };
  }

  afterEach(() => void vi.useRealTimers());

  it('are read at once if they were read lately', async () => {
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'));
    const bytes = new Uint8Array(Buffer.from('{"a":1}'));
    const [own, again] = [store.readObject('post', hash), store.readObject('post', hash)];
    expect([own, again]).toEqual([bytes, bytes]);
    expect(own).not.toBe(again);
  });

  it('are lent until the next read, if that is allowed', async () => {
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'));
    const lent = store.readObject('post', hash, true);
    expect(lent).toEqual(new Uint8Array(Buffer.from('{"a":1}')));
    expect(lent instanceof Uint8Array && lent.buffer).toHaveProperty('byteLength', 2 ** 17);
  });

  it('are checked again after ten minutes, however often they are read', async () => {
    let now = 0;
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'), 60_000, () => now);
    for (const minute of [3, 6, 9]) {
      now = minute * 60_000;
      expect(store.readObject('post', hash)).not.toBeInstanceOf(Promise);
    }
    now = 11 * 60_000;
    const checked = store.readObject('post', hash);
    expect(checked).toBeInstanceOf(Promise);
    await checked;
    expect(store.readObject('post', hash)).not.toBeInstanceOf(Promise);
  });

  it('are read by the thread pool for a while if that takes long', async () => {
    let now = 0;
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'), 60_000, () => (now += 6));
    const reads = Array.from({ length: 6 }, () => store.readObject('post', hash));
    expect(reads.map((read) => read instanceof Promise)).toEqual([false, false, false, false, true, true]);
    await Promise.all(reads.map(async (read) => read));
  });

  it('are read by the thread pool if they are large', async () => {
    const bytes = Buffer.alloc(2 ** 17, 'x');
    const { store, hash } = await storeWith(bytes);
    expect(store.readObject('post', hash)).toBeInstanceOf(Promise);
  });

  it('are read by the thread pool if they could change with the same time', async () => {
    const { store, hash } = await storeWith(Buffer.from('{"a":1}'), 1000);
    expect(store.readObject('post', hash)).toBeInstanceOf(Promise);
  });

  it.each([
    ['were altered', (path: string) => writeFileSync(path, '{"a":2}')],
    ['were cut short', (path: string) => truncateSync(path, 3)],
    [
      'were replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, '{"a":2}');
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'were altered by one who sets the time back',
      (path: string) => {
        writeFileSync(path, '{"a":2}');
        utimesSync(path, WHOLE_SECOND, WHOLE_SECOND);
      },
    ],
  ])('are checked again if they %s', async (_, change) => {
    const { store, hash, path } = await storeWith(Buffer.from('{"a":1}'));
    await setTimeout(20); // A clock of files may have steps of some milliseconds.
    change(path);
    await expect(store.readObject('post', hash)).rejects.toThrow(ObjectUnreadable);
  });

  it.skipIf(process.platform === 'win32')('do not hold up others if a pipe took their place', async () => {
    const { store, hash, path } = await storeWith(Buffer.from('{"a":1}'));
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await expect(store.readObject('post', hash)).rejects.toThrow(ObjectUnreadable);
    const out = join(dirname(path), '..', '..', '..');
    const other = new DiskSnapshotStore(out);
    await expect(other.readObject('post', hash)).rejects.toThrow(ObjectUnreadable);
    execFileSync('mkfifo', [join(out, POINTER_PATH)]);
    await expect(other.readPointer()).resolves.toBe('');
  });

  it('are null if they were deleted', async () => {
    const { store, hash, path } = await storeWith(Buffer.from('{"a":1}'));
    rmSync(path);
    await expect(store.readObject('post', hash)).resolves.toBeNull();
  });
});
