import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bitsAt, BitWriter, unpackBits } from '../../contract/bits.ts';
import { readPostings, writePostings } from '../../contract/postings.ts';
import { decodeLetter, decodePart, encodeSegment } from '../../contract/search-index.ts';
import { wordsOf } from '../../contract/search-text.ts';
import { WordIndex } from '../../gateway/listing/word-index.ts';

const SEED = Number(process.env['OFFPRINT_TEST_SEED'] ?? Date.now() % 2 ** 31);

const utf8 = new TextEncoder();

/** Positions in ascending order, few and many, close and far. */
const positionsBelow = (posts: number) =>
  fc
    .oneof(
      fc.uniqueArray(fc.nat(posts - 1), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: posts }).map((count) => Array.from({ length: count }, (_, i) => i)),
      fc
        .integer({ min: 1, max: 9 })
        .map((step) => Array.from({ length: Math.ceil(posts / step) }, (_, i) => i * step)),
    )
    .map((list) => Uint16Array.from(list.sort((a, b) => a - b)));

describe(`the search index as it is written, seed ${SEED}`, () => {
  test('bits come back, wherever they stand', () => {
    const pieces = fc.array(
      fc.integer({ min: 1, max: 16 }).chain((count) => fc.tuple(fc.nat(2 ** count - 1), fc.constant(count))),
    );
    fc.assert(
      fc.property(pieces, (written) => {
        const writer = new BitWriter();
        for (const [value, count] of written) writer.write(value, count);
        const text = writer.take();
        expect(JSON.stringify(text)).toHaveLength(text.length + 2);
        const words = unpackBits(utf8.encode(text));
        let place = 0;
        for (const [value, count] of written) {
          expect(bitsAt(words, place) >>> (32 - count)).toBe(value);
          place += count;
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('lists of positions come back, one behind the other', () => {
    const lists = fc
      .constantFrom(1, 2, 31, 1000, 32_768)
      .chain((posts) => fc.tuple(fc.constant(posts), fc.array(positionsBelow(posts), { maxLength: 6 })));
    fc.assert(
      fc.property(lists, fc.nat(16), ([posts, written], offset) => {
        const writer = new BitWriter();
        if (offset > 0) writer.write(0, offset);
        for (const list of written) writePostings(writer, list, posts);
        const size = written.reduce((sum, list) => sum + list.length, 0);
        const [into, ends] = [new Uint16Array(size), new Uint32Array(written.length + 1)];
        readPostings(unpackBits(utf8.encode(writer.take())), offset, posts, into, ends);
        expect(written.map((_, i) => into.subarray(ends[i], ends[i + 1]))).toEqual(written);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('a segment of many words: every letter and every part of a word leads to its posts', () => {
    // More words than a letter may be in without a list of its own, and more than one part can hold.
    const letters = 'etaoin\u00e9\u0436\u706f\u{1f980}"\\'; // prettier-ignore
    const random = numbers(SEED);
    const word = () =>
      Array.from({ length: 2 + (random() % 9) }, () => [...letters][random() % [...letters].length]).join('');
    const posts = Array.from({ length: 4200 }, (_, position) => [
      ...Array.from({ length: 12 }, word),
      `${'x'.repeat(120)}${position}`,
      ...(position % 7 === 0 ? ['needle', 'constructor'] : []),
    ]);
    const texts = encodeSegment(posts);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    expect(encodeSegment(posts)).toEqual(texts);

    const parts = texts.map((text) => decodePart(utf8.encode(text)));
    expect([...(parts[0]?.letters.keys() ?? [])]).toEqual(
      expect.arrayContaining(['e', '\u00e9', '\u706f', '\u{1f980}']),
    );
    const indexes = parts.map((part) => new WordIndex(part));
    const terms = [
      'needle',
      'constructor',
      'eed',
      'x1',
      'x41',
      'zz',
      ...letters,
      ...Array.from({ length: 300 }, () => word().slice(0, 1 + (random() % 4))),
    ];
    for (const term of terms) {
      const expected = posts.flatMap((words, position) =>
        words.some((one) => one.includes(term)) ? position : [],
      );
      expect(search(indexes, term, posts.length), term).toEqual(expected);
    }
    for (const [letter, list] of parts[0]?.letters ?? []) {
      const expected = posts.flatMap((words, position) =>
        words.some((one) => one.includes(letter)) ? position : [],
      );
      expect(positionsOf(decodeLetter(list, posts.length)), letter).toEqual(expected);
    }
  });

  test('words as long as a text that unfolds, and many of them side by side', () => {
    // One letter that becomes eighteen, and texts without a space: a block of words is then far longer than a call
    // can have arguments.
    const long = Array.from({ length: 80 }, (_, i) => [
      `${'\u6587'.repeat(5000)}${i}`,
      `${'z'.repeat(125_000)}${i}`,
    ]);
    const indexes = encodeSegment(long).map((part) => new WordIndex(decodePart(utf8.encode(part))));
    for (const [term, expected] of [
      ['\u65877', [7, ...Array.from({ length: 10 }, (_, i) => 70 + i)]],
      [`${'z'.repeat(90)}78`, [78]],
      ['z\u6587', []],
    ] as const) {
      expect(search(indexes, term, long.length), term.slice(-5)).toEqual(expected);
    }
  });

  test('any words, any term', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        ...'aab\u00df\u0130\u0131\ufb01\u3042\u30c6\u0301\u{1f468}\u200d-.% "\\\u0001\u0008\u007f',
      ),
      maxLength: 14,
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 150 }),
        text,
        (blog, query) => {
          const posts = blog.map((texts) => texts.flatMap(wordsOf));
          const indexes = encodeSegment(posts).map((part) => new WordIndex(decodePart(utf8.encode(part))));
          for (const term of wordsOf(query)) {
            const expected = posts.flatMap((words, position) =>
              words.some((one) => one.includes(term)) ? position : [],
            );
            expect(search(indexes, term, posts.length)).toEqual(expected);
          }
        },
      ),
      { seed: SEED, numRuns: 2000 },
    );
  });
});

/** Positions of the posts that hold the term. */
function search(parts: readonly WordIndex[], term: string, posts: number): number[] {
  const found = new Uint32Array((posts + 31) >>> 5);
  for (const part of parts) part.addPostsWith(term, found);
  const letter = parts[0]?.letter(term);
  if (letter) expect(positionsOf(letter), `the list of ${term}`).toEqual(positionsOf(found));
  return positionsOf(found);
}

function positionsOf(bits: Uint32Array): number[] {
  return Array.from(bits).flatMap((word, i) =>
    Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) => ((word >>> bit) & 1 ? i * 32 + bit : [])),
  );
}

/** Numbers that look random, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
