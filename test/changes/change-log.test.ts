import { describe, expect, test } from 'vitest';
import { newChangeLog, recordChanges } from '../../build/change-log.ts';
import { type ChangeLog, decodeChanges } from '../../contract/change-log.ts';
import { Random } from '../../bench/generate/random.ts';
import { MemoryObjects } from '../../build/memory-objects.ts';
import { cases } from '../random-cases.ts';

const DAY = 86_400;
/** Seconds between two publishes: a minute with OFFPRINT_TEST_TIMES=10. */
const PAUSE = Math.ceil(600 / cases(1));
/** In 30 days. */
const PUBLISHES = (30 * DAY) / PAUSE;

/** Publishes again and again for some days, each with a change. @param slugOf the article that a publish changes */
function publishing(days: number, posts: number, slugOf: (number: number) => string) {
  const store = new MemoryObjects();
  const written: number[] = [];
  const counting = {
    put: (kind: 'changes', text: string) => {
      written.push(text.length);
      return store.put(kind, text);
    },
    read: (kind: 'changes', hash: string) => store.read(kind, hash),
  };
  let log = newChangeLog();
  const numbers: { readonly number: number; readonly at: number; readonly slug: string }[] = [];
  for (let at = 0; at < days * DAY; at += PAUSE) {
    const slug = slugOf(log.number + 1);
    log = recordChanges(log, { slugs: new Set([slug]), lists: [] }, posts, at, counting);
    numbers.push({ number: log.number, at, slug });
  }
  return { log, store, written, numbers };
}

const changesIn = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.flatMap(({ hash }) => decodeChanges(store.read('changes', hash)));
const bytesOf = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.reduce((sum, { hash }) => sum + store.read('changes', hash).length, 0);

describe('the record of changes, publishing again and again', () => {
  test('knows a month of it, with 100,000 posts, in a small part of the output', () => {
    const random = new Random(1, 2);
    const slug = () => `a-slug-of-some-thirty-letters-${random.below(100_000)}`;
    const { log, store, written, numbers } = publishing(40, 100_000, slug);
    const now = 40 * DAY;
    for (const { number, at } of numbers)
      if (now - at <= 30 * DAY) expect(number).toBeGreaterThanOrEqual(log.since);
    const known = new Map<string, number>();
    for (const [number, of] of changesIn(log, store)) known.set(of, Math.max(number, known.get(of) ?? 0));
    for (const { number, slug: of } of numbers.filter((one) => one.number > log.since)) {
      expect(known.get(of)).toBeGreaterThanOrEqual(number);
    }
    // Every minute that is 2.2 MB; 100,000 articles of 10 kB are a gigabyte.
    expect(bytesOf(log, store)).toBeLessThan((PUBLISHES + 4096) * 50);
    expect(log.parts.length).toBeLessThan(20);
    expect(JSON.stringify(log).length).toBeLessThan(2500);
    // Per publish, in the mean: the newest part, and its share of joining.
    expect(written.reduce((sum, bytes) => sum + bytes, 0) / numbers.length).toBeLessThan(20_000);
  });

  test('does not grow with a small blog', () => {
    const { log, store } = publishing(40, 40, (number) => `article-${number % 40}`);
    expect(bytesOf(log, store)).toBeLessThan(30_000);
    expect(log.since).toBe(1);
    expect(new Set(changesIn(log, store).map(([, slug]) => slug)).size).toBe(40);
  });

  test('drops what is older than 31 days, and says so', () => {
    const { log, store } = publishing(70, 100_000, (number) => `article-${number}`);
    const oldest = Math.min(...changesIn(log, store).map(([number]) => number));
    expect(log.since).toBeGreaterThan(1);
    expect(oldest).toBeLessThanOrEqual(log.since + 1);
    expect(log.number - log.since).toBeGreaterThanOrEqual(PUBLISHES);
    expect(log.number - log.since).toBeLessThan((PUBLISHES * 4) / 3 + 4096);
  });

  test('says that it is better to begin again where most of a large blog changed', () => {
    const store = new MemoryObjects();
    const slugs = new Set(Array.from({ length: 1500 }, (_, i) => `article-${i}`));
    const before = newChangeLog();
    expect(recordChanges(before, { slugs, lists: ['tags'] }, 2000, 0, store)).toEqual({
      ...{ epoch: before.epoch, number: 2, since: 2, parts: [] },
      lists: { categories: 1, tags: 2, authors: 1 },
    });
    const { since, parts } = recordChanges(before, { slugs, lists: [] }, 4000, 0, store);
    expect([since, parts.map(({ size }) => size)]).toEqual([1, [1500]]);
  });
});
