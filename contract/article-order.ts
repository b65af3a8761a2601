/** The order of articles: by publication time, then by slug. */
import { isText, parseJson, recordOf } from './json.ts';

/** The sort key of an article. */
export interface ArticleKey {
  /** Publication time, in Unix seconds. */
  readonly time: number;
  readonly slug: string;
}

/** Negative: the first comes before the second. Slugs are compared by their bytes in UTF-8, as in SQLite. */
export function compareKeys(one: ArticleKey, other: ArticleKey): number {
  return one.time - other.time || compareBytes(one.slug, other.slug);
}

/** The key of an article, from its record in lists. @throws SyntaxError if it is not such a record */
export function keyOf(summary: string): ArticleKey {
  const { slug, published_at: publishedAt } = parseJson(summary, isOrdered, 'the summary of an article');
  return { time: Date.parse(publishedAt) / 1000, slug };
}

const isOrdered = recordOf<{ slug: string; published_at: string }>({ slug: isText, published_at: isText });

const encoder = new TextEncoder();

function compareBytes(one: string, other: string): number {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
