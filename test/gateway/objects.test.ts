import { expect, test } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';

const ARTICLES = Array.from({ length: 1000 }, (_, i) => Buffer.from(`{"text":"${i} ${'x'.repeat(800)}"}`));
const BYTES = new Map(ARTICLES.map((text) => [objectHash(text), new Uint8Array(text)]));
const [HOT, FRESH] = [[...BYTES.keys()].slice(0, 10), [...BYTES.keys()].slice(10, 15)];

/** A cache with room for some ten articles; the number of reads from the store for these. */
function readsOf() {
  const store = {
    readObject: (_: string, hash: string) => BYTES.get(hash) ?? null,
    hashOf: objectHash,
  };
  const objects = new Objects(store, 10 * 1030);
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
  for (let i = 0; i < 20; i++) reads(FRESH);
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

/** A store whose bytes are only valid until the next read. */
function lendingObjects(room: number) {
  const lent = new Uint8Array(10_000);
  const readObject = (_: string, hash: string) => {
    const bytes = BYTES.get(hash) ?? new Uint8Array();
    lent.fill(0);
    lent.set(bytes);
    return lent.subarray(0, bytes.length);
  };
  return new Objects({ readObject, hashOf: objectHash }, room);
}

test.each([2, 1000 * 1030])('lent bytes are copied, with room for %i bytes', (room) => {
  const objects = lendingObjects(room);
  const read = HOT.map((hash) => objects.read('post', hash));
  expect(read).toEqual(HOT.map((hash) => BYTES.get(hash)));
});

test.each([2, 1000 * 1030])('a part of an object is taken at once, with room for %i bytes', (room) => {
  const objects = lendingObjects(room);
  const take = (bytes: Uint8Array) => bytes.slice();
  for (let i = 0; i < 2; i++) {
    const read = HOT.map((hash) => objects.readPart('post', hash, take));
    expect(read).toEqual(HOT.map((hash) => BYTES.get(hash)));
  }
});
