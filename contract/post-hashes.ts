/**
 * Articles by position, for walks through the whole blog: objects of kind `post_hashes`, and `page_times` of the
 * directory, which give the page with an article's summary.
 */
import { type ArticleKey, compareKeys } from './article-order.ts';
import { eitherOf, isNumber, isText, listOf, pairOf, parseJson } from './json.ts';
import type { ObjectHash } from './object-hash.ts';

/** Positions in one object: 20 pages. */
export const POST_HASHES_SIZE = 1000;

/** @param hashes of the objects `post`, by position */
export function encodePostHashes(hashes: readonly ObjectHash[]): string {
  return `${JSON.stringify(hashes)}\n`;
}

/** @throws SyntaxError if the text is not such a list */
export function decodePostHashes(text: string): readonly ObjectHash[] {
  return parseJson(text, listOf(isText), 'a list of articles');
}

/**
 * Where a page of summaries begins: the publication time of its first article, in Unix seconds. If the article before it
 * has the same time, also its slug.
 */
export type PageStart = number | readonly [time: number, slug: string];

export const isPageStart = eitherOf(isNumber, pairOf(isNumber, isText));

/** @param before the article before the page's first one */
export function pageStart({ time, slug }: ArticleKey, before: ArticleKey | undefined): PageStart {
  return before?.time === time ? [time, slug] : time;
}

/** The page of an article: the last that begins at or before it. @param starts ascending */
export function pageAt(starts: readonly PageStart[], key: ArticleKey): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isUpTo(starts[middle] ?? Infinity, key)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function isUpTo(start: PageStart, key: ArticleKey): boolean {
  if (typeof start === 'number') return start <= key.time;
  const [time, slug] = start;
  return compareKeys({ time, slug }, key) <= 0;
}
