import { describe, expect, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { newChangeLog, recordChanges } from '../../build/snapshot/change-log.ts';
import { MemoryObjects } from '../../build/snapshot/memory-objects.ts';
import { type ChangeLog, decodeChanges } from '../../contract/change-log.ts';
import { Lines } from '../../contract/lines.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { cases } from '../random-cases.ts';

const DAY = 86_400;
/** Seconds between publishes: 10 minutes, or a minute with OFFPRINT_TEST_TIMES=10. */
const PAUSE = Math.ceil(600 / cases(1));
/** In 30 days. */
const PUBLISHES = (30 * DAY) / PAUSE;

/**
 * Publishes repeatedly for some days, each time with a change.
 *
 * @param slugOf the article that a publish changes
 */
async function publishing(days: number, posts: number, slugOf: (number: number) => string) {
  const store = new MemoryObjects();
  const written: number[] = [];
  const counting = {
    put: (kind: 'lines', content: string) => {
      written.push(content.length);
      return store.put(kind, content);
    },
    read: (kind: ObjectKind, hash: ObjectHash) => Promise.resolve(store.read(kind, hash)),
  };
  let log = newChangeLog();
  const numbers: { readonly number: number; readonly at: number; readonly slug: string }[] = [];
  for (let at = 0; at < days * DAY; at += PAUSE) {
    const slug = slugOf(log.number + 1);
    const changed = { slugs: new Set([slug]), lists: [] };
    log = await recordChanges(log, changed, posts, at, counting);
    numbers.push({ number: log.number, at, slug });
  }
  return { log, store, written, numbers };
}

const changesIn = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.flatMap(({ hash }) => decodeChanges(new Lines(store.read('lines', hash))));
const bytesOf = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.reduce((sum, { hash }) => sum + store.read('lines', hash).length, 0);

describe('the record of changes, after many publishes', () => {
  test('covers a month, and at 100,000 posts is a small part of the output', async () => {
    const random = new Random(1, 2);
    const slug = () => `a-slug-of-some-thirty-letters-${random.below(100_000)}`;
    const { log, store, written, numbers } = await publishing(40, 100_000, slug);
    const now = 40 * DAY;
    for (const { number, at } of numbers) {
      if (now - at <= 30 * DAY) expect(number).toBeGreaterThanOrEqual(log.since);
    }
    const known = new Map<string, number>();
    for (const [number, of] of changesIn(log, store)) known.set(of, Math.max(number, known.get(of) ?? 0));
    for (const { number, slug: of } of numbers.filter((one) => one.number > log.since)) {
      expect(known.get(of)).toBeGreaterThanOrEqual(number);
    }
    // With a publish every minute, that is 4.6 MB; 100,000 articles of 10 kB are a gigabyte.
    expect(bytesOf(log, store)).toBeLessThan((PUBLISHES + 2 * 4096) * 100);
    expect(log.parts.length).toBeLessThan(20);
    expect(JSON.stringify(log).length).toBeLessThan(2500);
    // Average per publish: the newest part, and its share of merging.
    expect(written.reduce((sum, bytes) => sum + bytes, 0) / numbers.length).toBeLessThan(40_000);
  });

  test('does not grow on a small blog', async () => {
    const { log, store } = await publishing(40, 40, (number) => `article-${number % 40}`);
    expect(bytesOf(log, store)).toBeLessThan(50_000);
    expect(log.since).toBe(1);
    expect(new Set(changesIn(log, store).map(([, slug]) => slug)).size).toBe(40);
  });

  test('does not grow if one article is edited all the time', async () => {
    const { log, store, written } = await publishing(4, 100_000, () => 'the-same');
    expect(changesIn(log, store).length).toBeLessThan(5);
    expect(Math.max(...written)).toBeLessThan(4096 * 100);
    expect(log.parts.every(({ size }) => size <= 4096)).toBe(true);
  });

  test('drops entries older than 31 days, and reports that', async () => {
    const { log, store } = await publishing(70, 100_000, (number) => `article-${number}`);
    const oldest = Math.min(...changesIn(log, store).map(([number]) => number));
    expect(log.since).toBeGreaterThan(1);
    expect(oldest).toBeLessThanOrEqual(log.since + 1);
    expect(log.number - log.since).toBeGreaterThanOrEqual(PUBLISHES);
    expect(log.number - log.since).toBeLessThan((PUBLISHES * 4) / 3 + 4096);
  });

  test('reports that starting again is better if most of a large blog changed', async () => {
    const store = new MemoryObjects();
    const slugs = new Set(Array.from({ length: 1500 }, (_, i) => `article-${i}`));
    const before = newChangeLog();
    const changed = { slugs, lists: ['tags'] as const };
    expect(await recordChanges(before, changed, 2000, 0, store)).toEqual({
      epoch: before.epoch,
      number: 2,
      since: 2,
      parts: [],
      lists: { categories: 1, tags: 2, authors: 1 },
    });
    const { since, parts } = await recordChanges(before, changed, 4000, 0, store);
    expect([since, parts.map(({ size }) => size)]).toEqual([1, [1500]]);
  });
});
