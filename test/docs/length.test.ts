/** The documents stay short enough to be read. Words are what white space separates, in tables and code too. */
import { expect, it } from 'vitest';
import { DOCUMENTS, read } from './documents.ts';

const MAX_WORDS = 18_000;
const MAX_OF_DECISIONS = 6000;
const MAX_OF_DECISION = 600;

const wordsOf = (path: string) => read(path).trim().split(/\s+/).length;
const PAGES = DOCUMENTS.filter((path) => path === 'README.md' || /^docs\/(?!decisions\/)/.test(path));
const DECISIONS = DOCUMENTS.filter((path) => path.startsWith('docs/decisions/'));

it('README.md and docs/ without decisions have at most 18,000 words', () => {
  expect(PAGES.reduce((sum, path) => sum + wordsOf(path), 0)).toBeLessThanOrEqual(MAX_WORDS);
});

it('docs/decisions/ has at most 6,000 words, and each page 600', () => {
  const words = DECISIONS.map(wordsOf);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_OF_DECISIONS);
  expect(Math.max(...words)).toBeLessThanOrEqual(MAX_OF_DECISION);
});
