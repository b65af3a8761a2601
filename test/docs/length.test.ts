/** The documents stay short enough to be read. Words are what white space separates, in tables and code too. */
import { expect, it } from 'vitest';
import { DOCUMENTS, read } from './documents.ts';

const wordsOf = (path: string) => read(path).trim().split(/\s+/).length;

it.each([
  ['README.md and docs/ without decisions', /^(?:README\.md$|docs\/(?!decisions\/))/, 18_000, Infinity],
  ['docs/decisions/', /^docs\/decisions\//, 6000, 600],
])('%s: few words, %s, at most %d together, and %d each', (_, paths, together, each) => {
  const words = DOCUMENTS.filter((path) => paths.test(path)).map(wordsOf);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(together);
  expect(Math.max(...words)).toBeLessThanOrEqual(each);
});
