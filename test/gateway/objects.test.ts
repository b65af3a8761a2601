import { expect, test } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { decodeRecord, encodeLines } from '../../contract/lines.ts';
import { ObjectMissing, Objects, ObjectUnreadable } from '../../gateway/snapshot/objects.ts';
import { composeRecords, type ReadRecords } from '../../gateway/listing/composing.ts';
import type { MaybePromise } from '../../gateway/maybe-promise.ts';

const ARTICLES = Array.from({ length: 1000 }, (_, i) => Buffer.from(`{"text":"${i} ${'x'.repeat(800)}"}`));
const BYTES = new Map(ARTICLES.map((text) => [objectHash(text), new Uint8Array(text)]));
const [HOT, FRESH] = [[...BYTES.keys()].slice(0, 10), [...BYTES.keys()].slice(10, 15)];

const storeOf = (objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) => ({
  readObject: (_: string, hash: string) => objects.get(hash) ?? null,
  hashObject: objectHash,
});

/** A cache with room for some ten articles; the number of reads from the store for these. */
function readsOf() {
  const objects = new Objects(storeOf(BYTES), 10 * 1030);
  return (hashes: Iterable<string>) => {
    const before = objects.reads;
    for (const hash of hashes) expect(objects.read('body', hash)).toEqual(BYTES.get(hash));
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
    for (const hash of [...BYTES.keys()].slice(0, 40)) void objects.read('body', hash);
  const readsOfColumns = () => {
    const before = objects.reads;
    expect(hashes.map((hash) => objects.read('numbers', hash))).toEqual(columns.map((_, i) => [i]));
    return objects.reads - before;
  };
  expect(readsOfColumns()).toBe(20);
  readsOfColumns();
  expect(readsOfColumns()).toBe(0);
});

test('records are read from the cached lines, or by a store that reads them alone', async () => {
  const texts = ['{"a":1}', '{"b":2}', '{"c":3}'];
  const bytes = new TextEncoder().encode(encodeLines(texts.map((text, i) => ({ text, places: [i] }))));
  const hash = objectHash(bytes);
  const objects = new Objects(storeOf(new Map([[hash, bytes]])), 10_000);
  const read = async () => await objects.readRecords(hash, [2, 0]);
  for (let i = 0; i < 2; i++) {
    const shown = (await read()).map((record) => [decodeRecord(record), record.places]);
    expect(shown).toEqual([2, 0].map((i) => [texts[i], [i]]));
  }
  expect(objects.reads).toBe(1);
  for (const index of [3, -1]) expect(() => objects.readRecords(hash, [0, index])).toThrow(ObjectUnreadable);
  expect(() => objects.readRecords('another', [0])).toThrow(ObjectMissing);

  const expected = await read();
  const asked: unknown[] = [];
  const readRecords = (...of: unknown[]) => {
    asked.push(of);
    return expected;
  };
  const alone = new Objects({ ...storeOf(new Map()), readRecords }, 10_000);
  expect(alone.readRecords(hash, [2, 0])).toBe(expected);
  expect([asked, alone.reads]).toEqual([[[hash, [2, 0]]], 0]);
});

test('records that were read at once are composed before others are read', async () => {
  const bytes = Buffer.alloc(1);
  /** One that is overwritten by the next. */
  const read = (digit: string) => () => {
    bytes.write(digit);
    return [{ bytes, start: 0, end: 1, places: [] }];
  };
  const later = async () => [{ bytes: Buffer.from('L'), start: 0, end: 1, places: [] }];
  const composed = async (value: MaybePromise<string>, reads: readonly ReadRecords[]) => {
    const list = await composeRecords(value, reads, (to, { bytes: of, start, end }, index, known) => {
      to.addText(`${known}${index}`);
      to.addBytes(of, start, end);
    });
    return Buffer.from(list).toString();
  };
  expect(await composed('i', [read('a'), read('b'), read('c')])).toBe('i0a,i1b,i2c');
  expect(await composed('i', [read('a'), later, read('b'), read('c')])).toBe('i0a,i1L,i2b,i3c');
  expect(await composed(Promise.resolve('i'), [read('a'), read('b'), later])).toBe('i0a,i1b,i2L');
  expect(await composed('i', [])).toBe('');
});
