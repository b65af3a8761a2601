/**
 * Every cache is in bench/CACHES.md. Links and paths of documents are checked in links.test.ts.
 */
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';
import { inlineCode, read, ROOT } from './documents.ts';

const PAGE = 'bench/CACHES.md';
const CACHE = /\bnew (?:LRUCache|Cache|SingleFlight)\b|= memoised\(/;

test('every file with a cache is named', () => {
  const sources = fastGlob.sync('{build,cli,client/source,common,contract,data,gateway,import}/**/*.ts', {
    cwd: ROOT,
  });
  const caches = sources.filter((path) => CACHE.test(read(path)));
  expect(caches).toContain('gateway/leasing-quota-counter.ts');
  const named = new Set(inlineCode(read(PAGE)));
  expect(caches.filter((path) => !named.has(path))).toEqual([]);
});
