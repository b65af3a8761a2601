import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatKey, isWellFormedKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { decodeNames, encodeNames, findName, shardIndex } from '../../contract/name-table.ts';
import { hashInPath, objectPath } from '../../contract/object-name.ts';
import { isObjectKind, OBJECT_KINDS } from '../../contract/object-kinds.ts';
import { encodeLines, Lines, readHead } from '../../contract/lines.ts';
import { encodePage, findSlug, readBodyHashes } from '../../contract/pages.ts';
import { compose } from '../../contract/composing.ts';
import { addSummary, encodeSummary, type MoreFields } from '../../contract/records.ts';
import { byPopularity } from '../../contract/popularity.ts';
import { decodePositions, encodePositions } from '../../contract/sets.ts';

const decoder = new TextDecoder();
const linesOf = (written: string) => new Lines(new TextEncoder().encode(written));
const text = () => fc.string({ unit: 'grapheme', maxLength: 30 });
const positions = () =>
  fc.uniqueArray(fc.nat(200_000), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b));

describe('written data can be read back', () => {
  test('sets', () => {
    fc.assert(
      fc.property(positions(), (list) => {
        expect([...decodePositions(encodePositions(list))]).toEqual(list);
      }),
    );
  });

  test('name tables, with any names', () => {
    const entry = fc.tuple(text(), fc.constant('a'.repeat(26)), fc.nat());
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([name]) => name }), text(), (entries, other) => {
        const shard = linesOf(encodeNames(entries));
        expect(new Set(decodeNames(shard))).toEqual(new Set(entries));
        for (const one of entries) expect(findName(shard, one[0])).toEqual(one);
        if (!entries.some(([name]) => name === other)) expect(findName(shard, other)).toBeNull();
      }),
      { examples: [[['a', 'a"', 'a,', '__proto__'].map((name) => [name, 'b', 0]), 'a"b']] },
    );
  });

  test('pages of summaries with any text, and with the position of their view count', () => {
    const parts = ['"views":0', ',\n', '","views":0,"', '\\"views\\":0', ']\n', ',"updated_at":'];
    const tricky = fc.oneof(text(), fc.constantFrom(...parts, ',"former_slugs":["'));
    const summary = fc.record({
      slug: tricky,
      title: tricky,
      description: fc.option(tricky),
      cover: tricky,
      tags: fc.array(tricky),
    });
    const stored = fc.record({
      updated_at: fc.option(fc.constant('2026-01-01T00:00:00+00:00')),
      former_slugs: fc.array(tricky),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(summary, stored), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (summaries, views) => {
          const lines = summaries.map(([one, { updated_at, former_slugs: former }]) =>
            encodeSummary({ ...one, updated_at, ...(former.length > 0 ? { former_slugs: former } : {}) }),
          );
          // Here as part of a larger file.
          const bodies = lines.map((_, i) => String(i));
          const file = new TextEncoder().encode(
            `x${encodePage(lines.map((line, i) => ({ summary: line, body: String(i) })))}x`,
          );
          const page = new Lines(file.subarray(1, -1));
          const backwards = lines.map((_, i) => page.at(lines.length - 1 - i));
          expect(backwards).toEqual(lines.toReversed());
          expect([[...page], page.count, readBodyHashes(page)]).toEqual([lines, lines.length, bodies]);
          const none = [lines.length, lines.length + 1, -1].map((index) => page.at(index));
          expect(none).toEqual([undefined, undefined, undefined]);
          const slugs = summaries.map(([{ slug }]) => slug);
          expect(slugs.map((slug) => findSlug(page, slug))).toEqual(slugs.map((slug) => slugs.indexOf(slug)));
          expect(findSlug(page, slugs.join('') + 'x')).toBe(-1);
          const shown = (more: MoreFields) =>
            lines.map((_, i) =>
              JSON.parse(decoder.decode(compose((to) => addSummary(to, page.record(i)!, views, more)))),
            );
          expect(shown('none')).toEqual(summaries.map(([one]) => ({ ...one, views })));
          expect(shown('dates')).toEqual(
            summaries.map(([one, { updated_at }]) => ({ ...one, views, updated_at })),
          );
          expect(shown('all')).toEqual(summaries.map(([one, more]) => ({ ...one, views, ...more })));
        },
      ),
    );
  });
});

describe('lines', () => {
  const written = encodeLines([{ text: '{"a":"é"}', places: [1, 2] }, { text: '{}' }], { gaps: [1] });
  const bytes = new TextEncoder().encode(written);

  test('have each record where the head says, in bytes', () => {
    const { columns, starts, places } = readHead(bytes);
    expect(places).toEqual([[1, 2], []]);
    expect(decoder.decode(bytes.subarray(columns, starts[0]))).toBe('{"gaps":[1]}\n');
    expect(decoder.decode(bytes.subarray(starts[0], starts[1]))).toBe('{"a":"é"}\n');
    expect(starts[2]).toBe(bytes.length);
  });

  test('that were cut, or have other bytes than their head says, are rejected', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(() => new Lines(bytes.subarray(0, length)), String(length)).toThrow(SyntaxError);
    const others = ['', '\n', '[]', '{}\n{}\n', '[[2]]\n{}\n{}', '[[2]]\n{}\n{}\n\n', '[["2"]]\n{}\n{}\n'];
    for (const wrong of others) expect(() => linesOf(wrong), wrong).toThrow(SyntaxError);
    expect(() => linesOf(written.replace('"é"', '"e"'))).toThrow(SyntaxError);
  });
});

describe('the cost of a publish', () => {
  test('an additional shard only takes names from one other shard', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `a-post-${i}`);
    for (let shards = 9; shards < 70; shards++) {
      const moved = names.filter((name) => shardIndex(name, shards) !== shardIndex(name, shards + 1));
      expect(new Set(moved.map((name) => shardIndex(name, shards + 1)))).toEqual(new Set([shards]));
      expect(new Set(moved.map((name) => shardIndex(name, shards))).size).toBe(1);
    }
  });
});

test('popularity is by views, then newest, even with large counts', () => {
  const counts = fc.oneof(fc.nat(5), fc.constantFrom(2 ** 32, Number.MAX_SAFE_INTEGER));
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 60 }), (views) => {
      const all = views.map((_, position) => position);
      const right = [...all].sort((a, b) => (views[b] ?? 0) - (views[a] ?? 0) || b - a);
      expect([...byPopularity(all, (position) => views[position] ?? 0, views.length)]).toEqual(right);
    }),
  );
});

describe('API keys', () => {
  const random = () => fc.array(fc.nat(61), { minLength: RANDOM_CHARACTERS, maxLength: RANDOM_CHARACTERS });

  test('have the documented form, and are recognised by their prefix', () => {
    fc.assert(
      fc.property(random(), (digits) => {
        const key = formatKey(digits);
        expect(key).toMatch(/^opk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
        expect(key.startsWith(`${keyPrefix(key)}_`)).toBe(true);
        expect(isWellFormedKey(key)).toBe(true);
      }),
    );
  });
});

describe('the path of an object', () => {
  const hash = 'abcdefghijklmnopqrstuvwx27';

  test.each(Object.keys(OBJECT_KINDS).filter(isObjectKind))('of kind %s contains its hash', (kind) => {
    expect(hashInPath(objectPath(kind, hash))).toBe(hash);
    expect(objectPath(kind, hash)).toBe(`objects/${kind}/ab/${hash}`);
  });

  test.each([
    ['another kind', `objects/other/ab/${hash}`],
    ['another folder', `objects/body/ba/${hash}`],
    ['an ending', `objects/body/ab/${hash}.json`],
    ['no hash', 'objects/body/ab/readme'],
    ['something before it', `a/objects/body/ab/${hash}`],
  ])('is not valid with %s', (_, path) => {
    expect(hashInPath(path)).toBeNull();
  });
});
