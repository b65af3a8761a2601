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

test('objects that are read again replace those that are not', () => {
  const reads = readsOf();
  reads(HOT);
  expect([reads(FRESH), reads(FRESH), reads(FRESH)]).toEqual([5, 5, 0]);
});
