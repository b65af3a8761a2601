import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatKey, isWellFormedKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { decodeColumn, encodeColumn } from '../../contract/columns.ts';
import { shardOf } from '../../contract/name-table.ts';
import { hashInPath, objectPath } from '../../contract/object-name.ts';
import { ALL_KINDS } from '../../contract/object-kinds.ts';
import { Lines } from '../../contract/lines.ts';
import { decodePage, encodePage } from '../../contract/pages.ts';
import {
  encodeSummary,
  type MoreFields,
  splitSummary,
  withAllFields,
  withDates,
  withViews,
} from '../../contract/records.ts';
import { byPopularity } from '../../contract/popularity.ts';
import { decodePositions, encodeSet } from '../../contract/sets.ts';

const text = () => fc.string({ unit: 'grapheme', maxLength: 30 });
const positions = () =>
  fc.uniqueArray(fc.nat(200_000), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b));

describe('written data can be read back', () => {
  test('sets', () => {
    fc.assert(
      fc.property(positions(), (list) => {
        expect([...decodePositions(encodeSet(list))]).toEqual(list);
      }),
    );
  });

  test('columns, with numbers of any size', () => {
    const count = fc.oneof(fc.nat(60), fc.nat(2000), fc.maxSafeNat());
    fc.assert(
      fc.property(fc.array(count, { maxLength: 300 }), (list) => {
        expect(decodeColumn(encodeColumn(list))).toEqual(list);
      }),
      { examples: [[[]], [[0, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]]] },
    );
  });

  test('pages of summaries with any text, and with the position of their view count', () => {
    const tricky = fc.oneof(
      text(),
      fc.constantFrom(
        '"views":0',
        ',\n',
        '","views":0,"',
        '\\"views\\":0',
        ']\n',
        ',"updated_at":',
        ',"former_slugs":["',
      ),
    );
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
          const read = decodePage(encodePage(lines)).map(splitSummary);
          // Here as part of a larger file.
          const file = new TextEncoder().encode(`x${encodePage(lines)}x`);
          const inFile = new Lines(file.subarray(1, -1));
          // The last one first: lines are looked for as far as they are needed.
          const backwards = lines.map((_, i) => inFile.at(lines.length - 1 - i));
          expect(backwards).toEqual(lines.toReversed());
          expect([...inFile]).toEqual(lines);
          const parts = [
            inFile.slice(1, 3),
            inFile.slice(0, lines.length + 9),
            inFile.slice(lines.length, 99),
          ];
          expect(parts).toEqual([lines.slice(1, 3), lines, []]);
          const none = [lines.length, lines.length + 1, -1].map((index) => inFile.at(index));
          expect(none).toEqual([undefined, undefined, undefined]);
          expect([...new Lines(file.subarray(1, -1))]).toEqual(lines);
          const shown = (more?: MoreFields) =>
            read.map((one) => JSON.parse(withViews(one, views, more?.(one))));
          expect(shown()).toEqual(summaries.map(([one]) => ({ ...one, views })));
          expect(shown(withDates)).toEqual(
            summaries.map(([one, { updated_at }]) => ({ ...one, views, updated_at })),
          );
          expect(shown(withAllFields)).toEqual(summaries.map(([one, more]) => ({ ...one, views, ...more })));
        },
      ),
    );
  });
});

describe('the cost of a publish', () => {
  test('an additional shard only takes names from one other shard', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `a-post-${i}`);
    for (let shards = 9; shards < 70; shards++) {
      const moved = names.filter((name) => shardOf(name, shards) !== shardOf(name, shards + 1));
      expect(new Set(moved.map((name) => shardOf(name, shards + 1)))).toEqual(new Set([shards]));
      expect(new Set(moved.map((name) => shardOf(name, shards))).size).toBe(1);
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

  test.each(ALL_KINDS)('of kind %s contains its hash', (kind) => {
    expect(hashInPath(objectPath(kind, hash))).toBe(hash);
  });

  test.each([
    ['another kind', `objects/other/ab/${hash}.json`],
    ['another folder', `objects/post/ba/${hash}.json`],
    ['another ending', `objects/post/ab/${hash}`],
    ['an ending that the kind has not', `objects/file/ab/${hash}.json`],
    ['no hash', 'objects/post/ab/readme.json'],
    ['something before it', `a/objects/post/ab/${hash}.json`],
  ])('is not valid with %s', (_, path) => {
    expect(hashInPath(path)).toBeNull();
  });
});
