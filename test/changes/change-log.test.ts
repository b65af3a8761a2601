import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateBlog } from '../../bench/generate/blog.ts';
import { Random } from '../../bench/generate/random.ts';
import { maxVersions, newChangeLog, recordChanges } from '../../build/snapshot/change-log.ts';
import { MemoryObjects } from '../../build/snapshot/memory-objects.ts';
import { prune } from '../../build/history/prune.ts';
import { type ChangeLog, decodeChanges, type Version } from '../../contract/change-log.ts';
import { objectsIn, pointerOf } from '../build/output.ts';
import { editing, publish } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
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
    put: (kind: 'changes' | 'earlier', content: string | Buffer) => {
      written.push(content.length);
      return store.put(kind, content.toString());
    },
    read: (kind: Parameters<MemoryObjects['read']>[0], hash: string) => store.read(kind, hash),
  };
  let log = newChangeLog();
  const numbers: { readonly number: number; readonly at: number; readonly slug: string }[] = [];
  for (let at = 0; at < days * DAY; at += PAUSE) {
    const slug = slugOf(log.number + 1);
    const changed = { slugs: new Set([slug]), lists: [] };
    log = await recordChanges(log, changed, new Map([[slug, VERSION]]), posts, at, counting);
    numbers.push({ number: log.number, at, slug });
  }
  return { log, store, written, numbers };
}

const VERSION: Version = [1_700_000_000, 'a'.repeat(26), 0];

const changesIn = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.flatMap(({ hash }) => decodeChanges(store.read('changes', hash)));
const bytesOf = ({ parts }: ChangeLog, store: MemoryObjects) =>
  parts.reduce((sum, { hash }) => sum + store.read('changes', hash).length, 0);
const versionsIn = (log: ChangeLog, store: MemoryObjects) =>
  changesIn(log, store).filter(([number, , before]) => before && number > log.walks);

describe('the record of changes, after many publishes', () => {
  test('covers a month, and at 100,000 posts is a small part of the output', async () => {
    const random = new Random(1, 2);
    const slug = () => `a-slug-of-some-thirty-letters-${random.below(100_000)}`;
    const { log, store, written, numbers } = await publishing(40, 100_000, slug);
    const now = 40 * DAY;
    for (const { number, at } of numbers) {
      if (now - at <= 30 * DAY) expect(number).toBeGreaterThanOrEqual(Math.max(log.since, log.walks));
    }
    const known = new Map<string, number>();
    for (const [number, of] of changesIn(log, store)) known.set(of, Math.max(number, known.get(of) ?? 0));
    for (const { number, slug: of } of numbers.filter((one) => one.number > log.since)) {
      expect(known.get(of)).toBeGreaterThanOrEqual(number);
    }
    expect(versionsIn(log, store)).toHaveLength(log.number - log.walks);
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
    expect(versionsIn(log, store)).toHaveLength(50);
    expect(log.walks).toBe(log.number - 50);
  });

  test('does not grow if one article is edited all the time', async () => {
    const { log, store, written } = await publishing(4, 100_000, () => 'the-same');
    expect(versionsIn(log, store)).toHaveLength(log.number - 1);
    expect(Math.max(...written)).toBeLessThan(4096 * 100);
    expect(log.parts.every(({ size }) => size <= 4096)).toBe(true);
  });

  test('drops entries older than 31 days, and reports that', async () => {
    const { log, store } = await publishing(70, 100_000, (number) => `article-${number}`);
    const oldest = Math.min(...changesIn(log, store).map(([number]) => number));
    expect(log.since).toBeGreaterThan(1);
    expect(log.walks).toBeGreaterThanOrEqual(log.since);
    expect(oldest).toBeLessThanOrEqual(log.since + 1);
    expect(log.number - log.since).toBeGreaterThanOrEqual(PUBLISHES);
    expect(log.number - log.since).toBeLessThan((PUBLISHES * 4) / 3 + 4096);
  });

  test('reports that starting again is better if most of a large blog changed', async () => {
    const store = new MemoryObjects();
    const slugs = new Set(Array.from({ length: 1500 }, (_, i) => `article-${i}`));
    const before = newChangeLog();
    const changed = { slugs, lists: ['tags'] as const };
    expect(await recordChanges(before, changed, null, 2000, 0, store)).toEqual({
      ...{ epoch: before.epoch, number: 2, since: 2, walks: 2, parts: [] },
      lists: { categories: 1, tags: 2, authors: 1 },
    });
    const earlier = new Map([...slugs].map((slug) => [slug, VERSION]));
    const { since, walks, parts } = await recordChanges(before, changed, earlier, 4000, 0, store);
    expect([since, walks, parts.map(({ size }) => size)]).toEqual([1, 1, [1500]]);
  });

  test('drops the versions of whole publishes, oldest first', async () => {
    const store = new MemoryObjects();
    let log = newChangeLog();
    const change = async (...slugs: string[]) => {
      const earlier = new Map(slugs.map((slug) => [slug, VERSION]));
      log = await recordChanges(log, { slugs: new Set(slugs), lists: [] }, earlier, 100, 0, store);
      return [log.walks, versionsIn(log, store).length];
    };
    const slugs = Array.from({ length: 30 }, (_, i) => `article-${i}`);
    expect(await change(...slugs)).toEqual([1, 30]);
    expect(await change('article-1')).toEqual([1, 31]);
    expect(await change(...slugs.slice(0, 19))).toEqual([1, 50]);
    expect(await change('article-2')).toEqual([2, 21]);
    expect(await change('article-2')).toEqual([2, 22]);
    expect(log.parts.map(({ versions }) => versions)).toEqual([22]);
  });
});

describe('what tokens and cursors need', () => {
  /** Sizes in bytes: per article of 10 kB, of the documentation, and per version. */
  let article = 0;
  let documentation = 0;
  let version = 0;

  beforeAll(async () => {
    const folder = folderUntil(afterAll);
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const text = [
      'consumers/api',
      'operators/troubleshooting',
      'owners/import-static-sites',
      'contributors/architecture',
    ]
      .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
      .join('\n')
      .replaceAll(/[&<>]/g, ' ');
    const bodyOf = (number: number) => text.slice((number * 2000) % (text.length - 10_000)).slice(0, 10_000);
    generateBlog(path, { posts: 40, seed: 5, body: (number) => `<p>${bodyOf(number)}</p>` });
    await publish(path, out);
    const bytes = (isCounted: (path: string) => boolean) =>
      objectsIn(out)
        .filter(isCounted)
        .reduce((sum, object) => sum + statSync(join(out, object)).size, 0);
    const isFile = (object: string) => object.startsWith('objects/file/');
    documentation = bytes(isFile);
    article = bytes((object) => !isFile(object)) / 40;
    for (let i = 0; i < 60; i++) {
      editing(path, (blog) =>
        blog.prepare('UPDATE posts SET body = ? WHERE id = ?').run(`<p>${bodyOf(i + 7)}</p>`, (i % 40) + 1),
      );
      await publish(path, out);
    }
    prune(out, new Date(), 0);
    const { walks = 0, number = 0 } = pointerOf(out).changes ?? {};
    expect(number - walks).toBe(50);
    const isEarlier = (object: string) => object.startsWith('objects/earlier/');
    expect(objectsIn(out).filter(isEarlier)).toHaveLength(50);
    version = bytes(isEarlier) / 50;
  }, 120_000);

  test.each([100_000, 339, 40])('takes at most a fifth of the output, with %i posts', async (posts) => {
    expect(article).toBeGreaterThan(10_000);
    const { log, store } = await publishing(
      31,
      posts,
      (number) => `a-slug-of-some-letters-${number % posts}`,
    );
    // In a month with a publish every minute.
    const most = Math.min((31 * DAY) / 60, maxVersions(posts));
    const record = bytesOf(log, store) * (posts > 1000 ? PAUSE / 60 : 1);
    expect(most * version + record).toBeLessThan(0.2 * (posts * article + documentation));
  });
});
