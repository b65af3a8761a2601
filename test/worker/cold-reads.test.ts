/**
 * What a cold isolate reads at a new location, by class of request and size of blog.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FarAway, startFarAway } from '../../bench/latency/far-away.ts';
import { type ColdClasses, latencyTable, measureCold, SIZES } from '../../bench/latency/table.ts';
import { type FarRead, readingOf } from '../../bench/latency/trace.ts';
import { folderUntil } from '../build/temporary-folder.ts';

const MB = 1e6;

let far: FarAway;
const folder = folderUntil(afterAll);
const measured: ColdClasses[] = [];

beforeAll(async () => {
  far = await startFarAway(join(folder, 'worker'));
  for (const posts of SIZES) measured.push(await measureCold(far, posts, join(folder, String(posts))));
});
afterAll(() => far.close());

/**
 * The maximum number of rounds, reads and bytes. A key's record, which these requests lack, adds one read to the
 * first round.
 */
const BARS: Readonly<Record<string, readonly [rounds: number, reads: number, bytes: number]>> = {
  newest: [2, 7, MB],
  article: [3, 7, MB],
  'article with its summary': [4, 8, MB],
  'any page, new or old': [3, 7, MB],
  'any page of a category, tag or author': [3, 7, MB],
  popular: [3, 7 + 15, 3 * MB],
  'two filters': [4, 9 + 15, 3 * MB],
  // Each value: a shard of its name table and its set. Then at most as many pages as articles.
  'at least one of ten tags': [4, 7 + 2 * 10 + 15, 3 * MB],
  'all of three tags': [4, 7 + 2 * 3 + 15, 3 * MB],
  'none of ten tags': [4, 7 + 2 * 10 + 15, 3 * MB],
  'one of five categories, and none of five authors': [4, 7 + 2 * 10 + 15, 3 * MB],
  // A page for each end, and the two pages of 50 articles in a row.
  'a range of time': [3, 7 + 2 + 2, MB],
  // Two of them are the pointer and the pack next to it.
  'one article that changed': [6, 8, MB],
  '50 whole articles of a walk': [3, 2 + 4, MB],
  // The last part of the record is read after the articles.
  'the last articles of a walk, and whether anything changed': [4, 2 + 4 + 1, MB],
};

describe.each(SIZES.map((posts, i) => [posts, i] as const))('with %i posts', (_, size) => {
  test('each class has its maximum', () => {
    expect([...(measured[size]?.keys() ?? [])]).toEqual(Object.keys(BARS));
  });

  test.each(Object.entries(BARS))('%s', (name, [mostRounds, mostReads, mostBytes]) => {
    const requests = measured[size]?.get(name) ?? [];
    expect(requests.length).toBeGreaterThan(1);
    for (const { path, reads } of requests) {
      const { rounds, reads: count, bytes } = readingOf(reads);
      const context = `${path}: ${JSON.stringify(reads)}`;
      expect(rounds, context).toBeLessThanOrEqual(mostRounds);
      expect(count, context).toBeLessThanOrEqual(mostReads);
      expect(bytes, context).toBeLessThanOrEqual(mostBytes);
      // Pages at the ends of a range are read first, for the times of their articles.
      const mostRoundsOfItems = name === 'a range of time' ? 2 : 1;
      expect(new Set(roundsOfItems(reads)).size, context).toBeLessThanOrEqual(mostRoundsOfItems);
    }
  });
});

test.each(SIZES.map((posts, i) => [posts, i] as const))(
  'the summary of an article is one read more, with %i posts',
  (_, size) => {
    const [article = [], withSummary = []] = ['article', 'article with its summary'].map((name) =>
      measured[size]?.get(name),
    );
    expect(article.length).toBeGreaterThan(1);
    for (const [i, { path, reads }] of withSummary.entries()) {
      const most = readingOf(article[i]?.reads ?? []).reads + 1;
      expect(readingOf(reads).reads, `${path}: ${JSON.stringify(reads)}`).toBeLessThanOrEqual(most);
    }
  },
);

test('docs/operators/cost.md has the measured values', () => {
  expect(readFileSync(new URL('../../docs/operators/cost.md', import.meta.url), 'utf8')).toContain(
    latencyTable(measured),
  );
});

/** The rounds in which pages of summaries are read. */
function roundsOfItems(reads: readonly FarRead[]): number[] {
  return reads.filter(({ key }) => /objects\/(?:set_)?page\//.test(key)).map(({ round }) => round);
}
