/** The order of articles: by publication time, then by slug. */
import { isText, parseJson, recordOf } from './json.ts';
import { compareBytes } from './name-table.ts';

/** The sort key of an article. */
export interface ArticleKey {
  /** Publication time, in Unix seconds. */
  readonly time: number;
  readonly slug: string;
}

/** Negative: the first comes before the second. Slugs are compared by their bytes in UTF-8, as in SQLite. */
export function compareKeys(one: ArticleKey, other: ArticleKey): number {
  return one.time - other.time || compareBytes(encoder.encode(one.slug), encoder.encode(other.slug));
}

/** The key of an article, from its record in lists. @throws SyntaxError if it is not such a record */
export function parseArticleKey(summary: string): ArticleKey {
  const { slug, published_at: publishedAt } = parseJson(summary, isOrdered, 'the summary of an article');
  return { time: Date.parse(publishedAt) / 1000, slug };
}

const isOrdered = recordOf<{ slug: string; published_at: string }>({ slug: isText, published_at: isText });

const encoder = new TextEncoder();
