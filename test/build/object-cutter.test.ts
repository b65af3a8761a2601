/** Where the objects of a search index end. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { ObjectCutter } from '../../build/search/object-cutter.ts';
import type { NewEntry } from '../../build/search/tree-writer.ts';

const LARGE = 49_152;

/** The objects of some entries, each with its hash and the texts in it. */
function cut(entries: readonly NewEntry[]) {
  const firsts: string[] = [];
  const hashes: string[] = [];
  const cutter = new ObjectCutter(({ first, bytes }) => {
    firsts.push(first);
    hashes.push(objectHash(bytes));
  });
  for (const entry of entries) cutter.add(entry);
  cutter.end();
  return firsts.map((first, i) => {
    const next = firsts[i + 1];
    const texts = entries.map(({ text }) => text).filter((text) => text >= first && !(next && text >= next));
    return { hash: hashes[i], texts };
  });
}

const sizes = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: LARGE, max: 90_000 })),
  {
    minLength: 2,
    maxLength: 40,
  },
);
const entryOf = (size: number, i: number): NewEntry => ({
  text: String.fromCodePoint(0x4e00 + i),
  count: 100 + i,
  list: new Uint8Array(size),
  tree: new Uint8Array(),
});

test('a large entry has an object of its own', () => {
  fc.assert(
    fc.property(sizes, (list) => {
      const alone = cut(list.map(entryOf)).filter(({ texts }) => texts.length === 1);
      for (const [i, size] of list.entries())
        if (size >= LARGE) expect(alone.some(({ texts }) => texts[0] === entryOf(size, i).text)).toBe(true);
    }),
  );
});

test('a change moves no object but its own, the one before it, and some after it', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.integer({ min: 1, max: 90_000 }), (list, which, size) => {
      const changed = which % list.length;
      const before = cut(list.map(entryOf));
      const after = cut(list.map((old, i) => entryOf(i === changed ? size : old, i)));
      const own = before.findIndex(({ texts }) => texts.includes(entryOf(0, changed).text));
      const kept = (objects: typeof before) => objects.slice(0, Math.max(0, own - 1)).map(({ hash }) => hash);
      expect(kept(after)).toEqual(kept(before));
    }),
  );
});
