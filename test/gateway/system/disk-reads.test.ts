import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { objectHash } from '../../../common/object-hash.ts';
import { decodeRecord, encodeLines, type LineRecord } from '../../../contract/lines.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { POINTER_PATH } from '../../../contract/pointer.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';
import { RecordRing } from '../../../gateway/node/record-ring.ts';
import { SlowReads } from '../../../gateway/node/slow-reads.ts';
import { ObjectMissing, ObjectUnreadable } from '../../../gateway/snapshot/objects.ts';
import { Random } from '../../../bench/generate/random.ts';
import { SEED } from '../../random-cases.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';

/** So that setting it leaves no trace in the time of the content. */
const WHOLE_SECOND = new Date('2026-01-01T00:00:00Z');

/** A clock in milliseconds. */
function clock(start = 0) {
  let now = start;
  return { now: () => now, pass: (ms: number) => (now += ms) };
}

/** A store with one object. */
function storeOf(kind: 'body' | 'lines', bytes: Buffer, now = () => 1) {
  const out = temporaryFolder();
  const hash = objectHash(bytes);
  const path = join(out, objectPath(kind, hash));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return { out, store: new DiskSnapshotStore(out, now), hash, path };
}

/** As the rename of a finished file does. */
function replace(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

/** For each of six reads, whether the thread pool does it, if each takes 6 ms. */
const SLOW = [false, false, false, false, true, true];

test('reads without the thread pool pause for ten seconds after four slow ones, and after each slow one then', () => {
  const { now, pass } = clock();
  const reads = new SlowReads(now);
  const read = (ms: number) => {
    const startedAt = now();
    pass(ms);
    reads.addRead(startedAt);
    return reads.mayReadNow();
  };
  for (let i = 0; i < 10_000; i++) expect(read(i % 100 === 0 ? 20 : 0.1)).toBe(true);
  expect([6, 6, 6, 6].map(read)).toEqual([true, true, true, false]);
  pass(9999);
  expect(reads.mayReadNow()).toBe(false);
  pass(1);
  expect(reads.mayReadNow()).toBe(true);
  expect(read(6)).toBe(false);
});

describe('records in memory', () => {
  const added = (ring: RecordRing, bytes: Buffer) =>
    ring.add(bytes.length, (to, start) => to.set(bytes, start));
  const bytesAt = (ring: RecordRing, place: number, length: number) => {
    const part = ring.at(place, length);
    return part && Buffer.from(part.bytes.subarray(part.start, part.end));
  };

  it('are those that were added last', () => {
    const ring = new RecordRing(64_000);
    const recordOf = (i: number) => Buffer.alloc(1 + ((i * 37) % 1000), i);
    const placed = Array.from({ length: 500 }, (_, i) => added(ring, recordOf(i)));
    const found = placed.map((place, i) => bytesAt(ring, place, recordOf(i).length));
    for (const [i, record] of found.entries())
      if (record) expect(record.equals(recordOf(i)), String(i)).toBe(true);
    const first = found.findIndex((record) => record !== undefined);
    expect(found.slice(first).every((record) => record !== undefined)).toBe(true);
    expect(found.length - first).toBeGreaterThan(60);
    expect(found.length - first).toBeLessThan(140);
  });

  it('are not those that are too large, or could not be written', () => {
    const ring = new RecordRing(64_000);
    expect([ring.takes(1000), ring.takes(1001)]).toEqual([true, false]);
    expect(ring.at(-1, 251)).toBeUndefined();
    const one = added(ring, Buffer.from('one'));
    const fails = () => {
      throw new Error('It cannot be read.');
    };
    for (const length of [10, 1000]) expect(() => ring.add(length, fails)).toThrow('cannot be read');
    const other = added(ring, Buffer.from('other'));
    expect([bytesAt(ring, one, 3), bytesAt(ring, other, 5)].join()).toBe('one,other');
  });
});

describe('objects in the output folder', () => {
  /** A store with one object, which was read. @param ageMs of its file @param now its clock */
  async function storeWith(bytes = Buffer.from('{"a":1}'), ageMs = 60_000, now = () => 1) {
    const stored = storeOf('body', bytes, now);
    utimesSync(stored.path, WHOLE_SECOND, WHOLE_SECOND);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ageMs });
    const read = () => stored.store.readObject('body', stored.hash);
    expect(await read()).toEqual(new Uint8Array(bytes));
    return { ...stored, read };
  }

  afterEach(() => void vi.useRealTimers());

  it('are read at once if they were read lately', async () => {
    const { read } = await storeWith();
    const bytes = new Uint8Array(Buffer.from('{"a":1}'));
    const [own, again] = [read(), read()];
    expect([own, again]).toEqual([bytes, bytes]);
    expect(own).not.toBe(again);
  });

  it('are checked again after ten minutes, however often they are read', async () => {
    const { now, pass } = clock(1);
    const { read } = await storeWith(undefined, undefined, now);
    for (let minute = 3; minute <= 9; minute += 3) {
      pass(180_000);
      expect(read()).not.toBeInstanceOf(Promise);
    }
    pass(120_000);
    const checked = read();
    expect(checked).toBeInstanceOf(Promise);
    await checked;
    expect(read()).not.toBeInstanceOf(Promise);
  });

  it('are read by the thread pool for a while if that takes long', async () => {
    const { now, pass } = clock();
    const { read } = await storeWith(undefined, undefined, () => pass(6) && now());
    const reads = SLOW.map(read);
    expect(reads.map((one) => one instanceof Promise)).toEqual(SLOW);
    for (const one of reads) await one;
  });

  it.each([
    ['are large', Buffer.alloc(2 ** 17, 'x'), undefined],
    ['could change with the same time', undefined, 1000],
  ])('are read by the thread pool if they %s', async (_, bytes, ageMs) => {
    const { read } = await storeWith(bytes, ageMs);
    expect(read()).toBeInstanceOf(Promise);
  });

  it.each<[string, (path: string) => void]>([
    ['were altered', (path) => writeFileSync(path, '{"a":2}')],
    ['were cut short', (path) => truncateSync(path, 3)],
    ['were replaced', (path) => replace(path, '{"a":2}')],
    [
      'were altered by one who sets the time back',
      (path) => {
        writeFileSync(path, '{"a":2}');
        utimesSync(path, WHOLE_SECOND, WHOLE_SECOND);
      },
    ],
  ])('are checked again if they %s', async (_, change) => {
    const { out, read, path } = await storeWith();
    const { ctimeMs } = statSync(path);
    // A clock of files may have steps of some milliseconds.
    await expect.poll(() => changeTime(join(out, 'now'))).toBeGreaterThan(ctimeMs);
    change(path);
    await expect(read()).rejects.toThrow(ObjectUnreadable);
  });

  function changeTime(path: string): number {
    writeFileSync(path, '');
    return statSync(path).ctimeMs;
  }

  it.skipIf(process.platform === 'win32')('do not hold up others if a pipe took their place', async () => {
    const { out, read, hash, path } = await storeWith();
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await expect(read()).rejects.toThrow(ObjectUnreadable);
    const other = new DiskSnapshotStore(out);
    await expect(other.readObject('body', hash)).rejects.toThrow(ObjectUnreadable);
    execFileSync('mkfifo', [join(out, POINTER_PATH)]);
    await expect(other.readPointer()).resolves.toBe('');
  });

  it('are null if they were deleted', async () => {
    const { read, path } = await storeWith();
    rmSync(path);
    await expect(read()).resolves.toBeNull();
  });
});

describe('records of lines in the output folder', () => {
  afterEach(() => void vi.useRealTimers());

  /** A clock for a cache, which asks for the time once in a millisecond of timers. */
  function cacheClock() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { now, pass } = clock(1);
    return {
      now,
      pass(ms: number) {
        vi.advanceTimersByTime(1);
        return pass(ms);
      },
    };
  }

  const random = new Random(SEED, 1);
  /** As long as summaries, with a few that are longer than one read takes, or stay in memory. */
  const texts = Array.from({ length: 50 }, (_, i) =>
    JSON.stringify({ i, x: 'é'.repeat(i % 17 === 0 ? 2 ** 17 : random.below(3000)) }),
  );
  const written = Buffer.from(encodeLines(texts.map((text, i) => ({ text, places: [i, i + 1] }))));
  const storeWith = (now?: () => number) => storeOf('lines', written, now);
  const shown = (records: readonly LineRecord[]) =>
    records.map((record) => [decodeRecord(record), record.places]);
  const expected = (indexes: readonly number[]) => indexes.map((i) => [texts[i], [i, i + 1]]);

  it('are right, in any order', async () => {
    const { store, hash } = storeWith();
    for (let times = 0; times < 300; times++) {
      const indexes = Array.from({ length: random.between(1, 15) }, () => random.below(texts.length));
      const read = store.readRecords(hash, indexes);
      expect(read instanceof Promise, String(times)).toBe(times === 0);
      expect(shown(await read), indexes.join()).toEqual(expected(indexes));
    }
  });

  it('that are asked for in parallel are read from one file', async () => {
    const { store, hash } = storeWith();
    const all = await Promise.all([1, 2, 3].map(async (i) => store.readRecords(hash, [i, 40])));
    expect(all.map(shown)).toEqual([1, 2, 3].map((i) => expected([i, 40])));
  });

  it.each([[[50]], [[-1]], [[0, 51]]])('that are not there are an error: %j', async (indexes) => {
    const { store, hash } = storeWith();
    await expect(store.readRecords(hash, indexes)).rejects.toThrow('has no record');
    await store.readRecords(hash, [0]);
    expect(() => store.readRecords(hash, indexes)).toThrow('has no record');
  });

  it('of a file that is missing, altered or no lines are an error', async () => {
    const missing = storeWith();
    rmSync(missing.path);
    await expect(missing.store.readRecords(missing.hash, [0])).rejects.toThrow(ObjectMissing);
    const altered = storeWith();
    writeFileSync(altered.path, written.toString().replace('{"i":0', '{"i":1'));
    await expect(altered.store.readRecords(altered.hash, [0])).rejects.toThrow('altered');
    const { store, hash } = storeOf('lines', Buffer.from('{"a":1}\n'));
    await expect(store.readRecords(hash, [0])).rejects.toThrow(ObjectUnreadable);
  });

  it('are served on from a file that was removed', async () => {
    const { store, hash, path } = storeWith();
    await store.readRecords(hash, [0]);
    rmSync(path);
    expect(shown(await store.readRecords(hash, [1, 2]))).toEqual(expected([1, 2]));
  });

  it('of a file that was cut short are an error until it is repaired', async () => {
    const { store, hash, path } = storeWith();
    await store.readRecords(hash, [0]);
    truncateSync(path, 20);
    await expect((async () => store.readRecords(hash, [5]))()).rejects.toThrow(ObjectUnreadable);
    replace(path, written);
    expect(shown(await store.readRecords(hash, [5]))).toEqual(expected([5]));
  });

  it('are read from a file that was checked in the last ten minutes, and by the thread pool if that takes long', async () => {
    const { now, pass } = cacheClock();
    const { store, hash } = storeWith(now);
    await store.readRecords(hash, [0]);
    pass(599_000);
    expect(store.readRecords(hash, [1])).not.toBeInstanceOf(Promise);
    pass(2000);
    const checked = store.readRecords(hash, [2]);
    expect(checked).toBeInstanceOf(Promise);
    expect(shown(await checked)).toEqual(expected([2]));

    const slow = storeWith(() => pass(6) && now());
    await slow.store.readRecords(slow.hash, [0]);
    const reads = SLOW.map((_, i) => slow.store.readRecords(slow.hash, [i + 1]));
    expect(reads.map((read) => read instanceof Promise)).toEqual(SLOW);
    expect(slow.store.readRecords(slow.hash, [1, 2])).not.toBeInstanceOf(Promise); // They are in memory.
    for (const [i, read] of reads.entries()) expect(shown(await read)).toEqual(expected([i + 1]));
  });

  it.skipIf(process.platform !== 'linux')(
    'keep few files open, and none that nobody read lately',
    async () => {
      const { now, pass } = cacheClock();
      const out = temporaryFolder();
      const store = new DiskSnapshotStore(out, now);
      const put = (i: number) => {
        const bytes = Buffer.from(encodeLines([{ text: `{"a":${i}}` }]));
        const hash = objectHash(bytes);
        const path = join(out, objectPath('lines', hash));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
        return hash;
      };
      const open = () =>
        readdirSync('/proc/self/fd').filter((file) => {
          const path = `/proc/self/fd/${file}`;
          return existsSync(path) && readlinkSync(path, 'utf8').startsWith(out);
        }).length;
      for (let i = 0; i < 5000; i++) await store.readRecords(put(i), [0]);
      expect(open()).toBeGreaterThan(15);
      expect(open()).toBeLessThanOrEqual(4096);
      pass(601_000);
      await store.readRecords(put(-1), [0]);
      expect(open()).toBeLessThanOrEqual(1);
    },
  );
});
