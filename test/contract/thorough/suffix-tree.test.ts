import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BitWriter } from '../../../build/search/bit-writer.ts';
import { editIndex } from '../../../build/search/edited-index.ts';
import { writeList } from '../../../build/search/list-writer.ts';
import { wholeIndex } from '../../../bench/generate/whole-index.ts';
import { collectWords, joinWords } from '../../../build/search/words.ts';
import { BitReader } from '../../../contract/search/bit-reader.ts';
import { readList, readMembers, skipList } from '../../../contract/search/postings.ts';
import { MAX_QUERY_CHARACTERS, normalise } from '../../../contract/search/search-text.ts';
import {
  indexedPosts,
  LEAF_POSTS,
  type Occurrences,
  findObjectIndex,
  Suffixes,
  TERM_CHARACTERS,
} from '../../../contract/search/suffix-tree.ts';
import { cases, SEED } from '../../random-cases.ts';

describe(`encoded bits and lists, seed ${SEED}`, () => {
  test('numbers are read back at any position', () => {
    const number = fc.tuple(
      fc.integer({ min: 0, max: 22 }).chain((bits) => fc.nat(2 ** bits - 1)),
      fc.nat(7),
    );
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const writer = new BitWriter();
        for (const [value, width] of numbers) writer.writeNumber(value, width);
        writer.align();
        const reader = new BitReader(writer.take());
        for (const [value, width] of numbers) expect(reader.readNumber(width)).toBe(value);
      }),
      { seed: SEED, numRuns: cases(250) },
    );
  });

  test('lists are read back in sequence, and can be skipped', () => {
    const list = fc.constantFrom(1, 2, 31, 32, 33, 1000, 70_000).chain((all) =>
      fc.record({
        all: fc.constant(all),
        members: fc
          .oneof(
            fc.uniqueArray(fc.nat(all - 1), { maxLength: 40 }),
            fc.integer({ min: 1, max: 9 }).map((step) => stepsBelow(all, step)),
            fc.uniqueArray(fc.nat(all - 1), { maxLength: 40 }).map((absent) => {
              const without = new Set(absent);
              return stepsBelow(all, 1).filter((member) => !without.has(member));
            }),
          )
          .map((members) => Uint32Array.from(members).sort()),
      }),
    );
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), (lists) => {
        const writer = new BitWriter();
        for (const { all, members } of lists) writeList(writer, members, all);
        writer.align();
        const bytes = writer.take();
        const reader = new BitReader(bytes);
        const [skipping, asMembers] = [new BitReader(bytes), new BitReader(bytes)];
        for (const { all, members } of lists) {
          const read = readList(reader, members.length, all);
          expect(positionsIn(read)).toEqual([...members]);
          expect(readMembers(asMembers, members.length, all)).toEqual(members);
          skipList(skipping, members.length, all);
          expect(skipping.place).toBe(reader.place);
        }
      }),
      { seed: SEED, numRuns: cases(75) },
    );
  });
});

describe(`the encoded search index, seed ${SEED}`, () => {
  test.each([1, 40, 3000, 12_000])('any substring of a word leads to its posts: %d posts', (count) => {
    const random = numbers(SEED + count);
    const letters = [...'etaoiné\u0436\u706f\u{1f980}"\\\uff21'];
    const letter = (of: number) => letters[Math.min(random() % of, random() % of)] ?? '';
    const word = (length: number, of = letters.length) => Array.from({ length }, () => letter(of)).join('');
    const known = Array.from({ length: 300 }, () => word(1 + (random() % 9)));
    const long = Array.from({ length: 4 }, () => word(60, 5)); // Longer than the labels that are stored.
    const pick = (list: readonly string[]) =>
      list[Math.min(random() % list.length, random() % list.length)] ?? '';
    const posts = Array.from({ length: count }, () => [
      ...Array.from({ length: 6 }, () => pick(known)),
      ...Array.from({ length: 3 }, () => word(1 + (random() % 9))),
      ...(random() % 5 === 0 ? [pick(long)] : []),
      ...(random() % 2 === 0 ? ['harbour'] : []),
    ]);
    const search = indexOf(posts);
    const partOf = (text: string) => {
      const characters = [...text];
      const from = random() % characters.length;
      return characters.slice(from, from + 1 + (random() % (random() % 2 === 0 ? 4 : 50))).join('');
    };
    const terms = [
      ...letters,
      ...['harbour', 'harbou', 'harbours', 'arb', 'r', 'constructor'],
      ...long.flatMap((one) => [one, `${one.slice(1, 40)}e`]),
      ...Array.from({ length: 400 }, () => partOf(random() % 2 === 0 ? pick(known) : pick(long))),
      ...Array.from({ length: 200 }, () => word(1 + (random() % 5))),
    ];
    for (const term of new Set(terms)) {
      const expected = stepsBelow(count, 1).filter((post) => posts[post]?.some((one) => one.includes(term)));
      expect(search(term), term).toEqual(expected);
    }
  });

  test('long words that many posts share take little space', () => {
    const random = numbers(SEED);
    const words = Array.from({ length: 3 }, () =>
      Array.from({ length: 1200 }, () => String.fromCodePoint(0x4e00 + (random() % 5000))).join(''),
    );
    const posts = Array.from({ length: 60 }, (_, post) => [
      words[post % 3] ?? '',
      `${'z'.repeat(1200)}${post}`,
    ]);
    const objects = wholeIndex(joinWords([collectWords(posts)]));
    const size = objects.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(size).toBeLessThan(posts.flat().join('').length);
    const search = indexOf(posts);
    expect(search(words[1]?.slice(900, 1000) ?? '')).toEqual(
      stepsBelow(60, 1).filter((post) => post % 3 === 1),
    );
    expect(search(`${words[1]?.slice(900, 950)}z`)).toEqual([]);
    expect(search(`${'z'.repeat(90)}7`)).toEqual([7]);
    expect(search('z'.repeat(100))).toHaveLength(60);
  });

  test('objects stay small, and a new word changes few of them', () => {
    const random = numbers(SEED);
    const posts = Array.from({ length: 6000 }, () =>
      Array.from({ length: 12 }, () =>
        Array.from({ length: 2 + (random() % 8) }, () => 'etaoinshrdlu'[random() % 12]).join(''),
      ),
    );
    const write = () => wholeIndex(joinWords([collectWords(posts)])).map(({ bytes }) => bytes);
    const before = write();
    expect(Math.max(...before.map(({ length }) => length))).toBeLessThan(400_000);
    posts[17]?.push('etaq');
    const known = new Set(before.map((bytes) => Buffer.from(bytes).toString('latin1')));
    const changed = write().filter((bytes) => !known.has(Buffer.from(bytes).toString('latin1')));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThanOrEqual(6);
  });

  test('an incremental update gives the same bytes as a full build', () => {
    const random = numbers(SEED);
    const letters = [...'etaoinshrdlu\u706f\u{1f980}'];
    const letter = () => letters[Math.min(random() % 14, random() % 14, random() % 14)] ?? '';
    const word = () => Array.from({ length: 1 + (random() % 7) }, letter).join('');
    const known = Array.from({ length: 200 }, word);
    const long = Array.from({ length: 3 }, () => Array.from({ length: 30 }, letter).join(''));
    const words = () => [
      ...Array.from({ length: 5 }, () => known[Math.min(random() % 200, random() % 200)] ?? ''),
      ...Array.from({ length: 3 }, word),
      ...(random() % 40 === 0 ? [long[random() % 3] ?? ''] : []),
    ];
    const objects = new Map<string, Uint8Array>();
    const put = (bytes: Uint8Array) => {
      const hash = Buffer.from(bytes).toString('latin1');
      objects.set(hash, bytes);
      return hash;
    };
    const whole = () =>
      wholeIndex(joinWords([collectWords(posts)])).map(({ first, bytes }) => [first, put(bytes)] as const);
    let posts = Array.from({ length: 2500 }, words);
    let before = whole();
    for (let round = 0; round < cases(20); round++) {
      // In order: posts that stay, change, are removed and are added. Some rounds have many of them, and few posts
      // per node.
      const [most, isMoving] = [round % 10 === 9 ? 400 : 4, round % 2 === 1];
      const chosen = new Set(Array.from({ length: 1 + (random() % most) }, () => random() % posts.length));
      const all = posts.flatMap((was, position): { was?: string[]; is?: string[] }[] => {
        if (!chosen.has(position)) return [{ was, is: was }];
        const changed =
          random() % 6 === 0 ? [] : [...was.slice(0, random() % 9), ...words().slice(0, random() % 4)];
        if (!isMoving || random() % 3 === 0) return [{ was, is: changed }];
        return random() % 2 === 0 ? [{ was }] : [{ was, is: was }, { is: words() }];
      });
      const numbersOf = (side: 'was' | 'is') => all.flatMap((post, number) => (post[side] ? number : []));
      posts = all.flatMap(({ is }) => (is ? [is] : []));
      const positions = new Uint32Array(all.length);
      for (const [position, number] of numbersOf('is').entries()) positions[number] = position;
      const edited = editIndex({
        objects: before,
        indexed: numbersOf('was').length,
        numbers: Uint32Array.from(numbersOf('was')),
        positions: isMoving ? positions : undefined,
        indexedNow: posts.length,
        edits: all.flatMap(({ was = [], is = [] }, number) =>
          was === is ? [] : { number, before: was, after: is },
        ),
        getWords: (number) => all[number]?.is ?? [],
        read: (hash) => objects.get(hash) ?? new Uint8Array(),
        put,
      });
      before = whole();
      expect(edited, `round ${round}`).toEqual(before);
    }
  });

  test('can store every term that a query may have', () => {
    let longest = 0;
    for (let point = 0; point < 0x110000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const parts = normalise(String.fromCodePoint(point)).split(/\s+/u);
      for (const part of parts) longest = Math.max(longest, [...part].length);
    }
    expect(longest * MAX_QUERY_CHARACTERS).toBeLessThanOrEqual(TERM_CHARACTERS);
  });

  test('omits at most 249 of the newest posts', () => {
    expect([0, 249, 250, 100_001].map(indexedPosts)).toEqual([0, 0, 250, 100_000]);
  });

  test.each([[[0]], [[0, 1, 0x61, 0, 0]], [[0, 1, 0x61, 1, 9, 1]], [[0, 1, 0x61]]])(
    'bytes that are not an index are rejected: %j',
    (bytes) => {
      expect(() => new Suffixes(Uint8Array.from(bytes))).toThrow(/is cut off/);
    },
  );
});

/** A search in the index of some posts. Candidates that the index cannot decide are checked in their words. */
function indexOf(posts: readonly (readonly string[])[]): (term: string) => number[] {
  const middle = posts.length >> 1;
  const table = joinWords([collectWords(posts.slice(0, middle)), collectWords(posts.slice(middle))]);
  const objects = wholeIndex(table).map(({ first, bytes }) => [first, new Suffixes(bytes)] as const);
  return (term) => {
    const found = objects[findObjectIndex(objects, term)]?.[1].find(term, posts.length);
    return found ? settled(found, (post) => posts[post]?.some((word) => word.includes(term)) ?? false) : [];
  };
}

function settled({ posts, check }: Occurrences, holds: (post: number) => boolean): number[] {
  const found = positionsIn(posts);
  if (check === 'none') return found;
  if (check === 'one') return holds(found.at(-1) ?? -1) ? found : [];
  expect(found.length).toBeLessThanOrEqual(LEAF_POSTS);
  return found.filter(holds);
}

function positionsIn(bits: Uint32Array): number[] {
  return stepsBelow(32 * bits.length, 1).filter((place) => (bits[place >>> 5]! >>> (place & 31)) & 1);
}

/** `[0, step, 2 × step, …]`. */
function stepsBelow(end: number, step: number): number[] {
  return Array.from({ length: Math.ceil(end / step) }, (_, i) => i * step);
}

/** Pseudo-random numbers from a seed. */
function numbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
