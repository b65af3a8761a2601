/** The order of articles: by when they were published, then by slug. */
import { isText, parseJson, recordOf } from './json.ts';

/** By what an article is ordered. */
export interface ArticleKey {
  /** When it was published, in Unix seconds. */
  readonly time: number;
  readonly slug: string;
}

/** Below 0: the first stands before the second. Slugs are compared by their bytes in UTF-8, as in SQLite. */
export function compareKeys(one: ArticleKey, other: ArticleKey): number {
  return one.time - other.time || compareBytes(one.slug, other.slug);
}

/** The key of an article, from its record in lists. @throws SyntaxError where it is none */
export function keyOf(summary: string): ArticleKey {
  const { slug, published_at: publishedAt } = parseJson(summary, isOrdered, 'the summary of an article');
  return { time: Date.parse(publishedAt) / 1000, slug };
}

/** How the text of a summary or a detail's `data` begins: the slug is its first field. */
export function beginningOf(slug: string): string {
  return `{"slug":${JSON.stringify(slug)},`;
}

/** When the article of a detail was published, in Unix seconds: its last field says it. @param end of the detail */
export function publishedAt(end: string): number {
  return Date.parse(/"published_at":"([^"]*)"\}\}$/.exec(end)?.[1] ?? '') / 1000;
}

const isOrdered = recordOf<{ slug: string; published_at: string }>({ slug: isText, published_at: isText });

const encoder = new TextEncoder();

function compareBytes(one: string, other: string): number {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
