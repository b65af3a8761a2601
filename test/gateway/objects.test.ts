import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { objectPath } from '../../contract/object-name.ts';
import { decodeSet, encodeSet } from '../../contract/sets.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

const ARTICLES = Array.from({ length: 1000 }, (_, i) => Buffer.from(`{"text":"${i} ${'x'.repeat(800)}"}`));
const BYTES = new Map(ARTICLES.map((text) => [objectHash(text), new Uint8Array(text)]));
const [HOT, FRESH] = [[...BYTES.keys()].slice(0, 10), [...BYTES.keys()].slice(10, 15)];

const storeOf = (objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) => ({
  readObject: (_: string, hash: string) => objects.get(hash) ?? null,
  hashOf: objectHash,
});

/** A cache with room for some ten articles; the number of reads from the store for these. */
function readsOf() {
  const objects = new Objects(storeOf(BYTES), 10 * 1030);
  return (hashes: Iterable<string>) => {
    const before = objects.reads;
    for (const hash of hashes) expect(objects.read('post', hash)).toEqual(BYTES.get(hash));
    return objects.reads - before;
  };
}

test('objects that are read once do not evict others', () => {
  const reads = readsOf();
  expect([reads(HOT), reads(HOT)]).toEqual([10, 0]);
  expect(reads([...BYTES.keys()].slice(10))).toBe(990);
  expect(reads(HOT)).toBe(0);
});

test('objects that are read again and again replace those that are not', () => {
  const reads = readsOf();
  reads(HOT);
  for (let i = 0; i < 200; i++) reads(FRESH);
  expect(reads(FRESH)).toBe(0);
});

test('of more objects than there is room for, most stay when all are asked for in turn', () => {
  const reads = readsOf();
  const asked = [...BYTES.keys()].slice(0, 20);
  reads(asked);
  const found = Array.from({ length: 50 }, () => 20 - reads(asked));
  const average = found.reduce((sum, count) => sum + count, 0) / found.length;
  expect(average).toBeGreaterThan(5); // None, if each object that is read took the place of another.
});

test('what has to be decoded enters a full cache when it is asked for again', () => {
  const columns = Array.from({ length: 20 }, (_, i) => new TextEncoder().encode(`[${i}]`));
  const hashes = columns.map(objectHash);
  const known = new Map([...BYTES, ...columns.map((bytes, i) => [hashes[i] ?? '', bytes] as const)]);
  const objects = new Objects(storeOf(known), 20 * 1030);
  for (let i = 0; i < 50; i++)
    for (const hash of [...BYTES.keys()].slice(0, 40)) void objects.read('post', hash);
  const readsOfColumns = () => {
    const before = objects.reads;
    expect(hashes.map((hash) => objects.read('views', hash))).toEqual(columns.map((_, i) => [i]));
    return objects.reads - before;
  };
  expect(readsOfColumns()).toBe(20);
  readsOfColumns();
  expect(readsOfColumns()).toBe(0);
});

/** A store whose bytes are only valid until the next read. @param lent a Buffer's `slice` does not copy */
function lendingObjects(room: number, lent: Uint8Array<ArrayBuffer>) {
  const readObject = (_: string, hash: string) => {
    const bytes = BYTES.get(hash) ?? new Uint8Array();
    lent.fill(0);
    lent.set(bytes);
    return lent.subarray(0, bytes.length);
  };
  return new Objects({ readObject, hashOf: objectHash }, room);
}

const LENDING = [2, 1000 * 1030].flatMap((room) =>
  (['Buffer', 'Uint8Array'] as const).map((type) => ({ room, type })),
);
const lentOf = (type: 'Buffer' | 'Uint8Array') =>
  type === 'Buffer' ? Buffer.allocUnsafeSlow(10_000) : new Uint8Array(10_000);

test.each(LENDING)('lent bytes are copied: of a $type, with room for $room bytes', ({ room, type }) => {
  const objects = lendingObjects(room, lentOf(type));
  const read = HOT.map((hash) => objects.read('post', hash));
  expect(read).toEqual(HOT.map((hash) => BYTES.get(hash)));
});

test.each(LENDING)(
  'lent parts are taken at once: of a $type, with room for $room bytes',
  ({ room, type }) => {
    const objects = lendingObjects(room, lentOf(type));
    const take = (bytes: Uint8Array) => new Uint8Array(bytes);
    for (let i = 0; i < 2; i++) {
      const read = HOT.map((hash) => objects.readPart('post', hash, take));
      expect(read).toEqual(HOT.map((hash) => BYTES.get(hash)));
    }
  },
);

test('the summaries of a set are its own bytes', () => {
  for (const type of ['Buffer', 'Uint8Array'] as const) {
    const lent = lentOf(type);
    const bytes = Buffer.from(encodeSet([1, 5], ['{"slug":"a"}', '{"slug":"b"}']));
    lent.set(bytes);
    const { positions, newest } = decodeSet(lent.subarray(0, bytes.length));
    lent.fill(0);
    expect([[...positions], [...newest]]).toEqual([
      [1, 5],
      ['{"slug":"a"}', '{"slug":"b"}'],
    ]);
  }
});

test('articles from a disk are right, however small the cache', async () => {
  const out = temporaryFolder();
  for (const [hash, bytes] of BYTES) {
    const path = join(out, objectPath('post', hash));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const store = new DiskSnapshotStore(out);
  const objects = new Objects(store, 20 * 1030);
  const hashes = [...BYTES.keys()];
  for (let i = 0; i < 3; i++) {
    const read = await Promise.all(hashes.map(async (hash) => objects.read('post', hash)));
    expect(read.map((bytes) => store.hashOf(bytes))).toEqual(hashes);
  }
  vi.useRealTimers();
});
