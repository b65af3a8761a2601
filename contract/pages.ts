/**
 * Pages: lines with up to 50 records.
 *
 * Those of articles have summaries, and columns with the details of the articles and when they were published. They are counted
 * from the oldest post, so a full page does not change when a post is appended.
 */
import { countBefore } from './binary-search.ts';
import { type ArticleKey, compareKeys } from './article-order.ts';
import { eitherOf, isNumber, isText, listOf, pairOf, recordOf } from './json.ts';
import { encodeLines, type Lines } from './lines.ts';
import type { ObjectHash } from './object-hash.ts';
import { summaryLine, summaryPrefix } from './records.ts';

/** An article of a page. */
interface PageEntry {
  /** The text of its summary. */
  readonly summary: string;
  /** Its body. */
  readonly body: ObjectHash;
}

export function encodePage(articles: readonly PageEntry[]): string {
  return encodeLines(
    articles.map(({ summary }) => summaryLine(summary)),
    { bodies: articles.map(({ body }) => body) },
  );
}

/** The bodies of a page's articles. @throws SyntaxError if the lines are not such a page */
export function readBodyHashes(page: Lines): readonly ObjectHash[] {
  return page.columns(isPageColumns).bodies;
}

const isPageColumns = recordOf<{ readonly bodies: readonly ObjectHash[] }>({ bodies: listOf(isText) });

/** The index of an article on a page, or -1. */
export function findSlug(page: Lines, slug: string): number {
  const beginning = new TextEncoder().encode(summaryPrefix(slug));
  for (let index = 0; index < page.count; index++) {
    const { bytes, start } = page.record(index)!;
    if (beginning.every((byte, at) => bytes[start + at] === byte)) return index;
  }
  return -1;
}

/**
 * Where a page of articles begins: the publication time of its first article, in Unix seconds. If the article before it
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
  return Math.max(0, countBefore(starts.length, (i) => isUpTo(starts[i]!, key)) - 1);
}

function isUpTo(start: PageStart, key: ArticleKey): boolean {
  if (typeof start === 'number') return start <= key.time;
  const [time, slug] = start;
  return compareKeys({ time, slug }, key) <= 0;
}
