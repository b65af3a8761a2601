/**
 * An object of kind `popular_page`: 50 of the most viewed posts, most views first. The first line is a JSON array of their
 * view counts; their summaries follow in the form of a `page`.
 *
 * The posts of a list by views are anywhere in the blog. On their own pages a remote store is read once or twice for the
 * first 300, not once for each post. If a blog is small enough for a pack, it has none.
 */
import { decodeColumn, encodeColumn } from './columns.ts';
import { decodePage, encodePage } from './pages.ts';

/** Posts on these pages: the first twenty pages of a list. More would be more to write whenever view counts change. */
export const POPULAR_POSTS = 300;

export interface PopularPage {
  readonly views: readonly number[];
  /** JSON texts. */
  readonly summaries: readonly string[];
}

/** @param summaries their JSON texts */
export function encodePopularPage(views: readonly number[], summaries: readonly string[]): string {
  return `${encodeColumn(views)}\n${encodePage(summaries)}`;
}

/** @throws SyntaxError if the text is not such a page */
export function decodePopularPage(text: string): PopularPage {
  const end = text.indexOf('\n') + 1;
  return {
    views: decodeColumn(text.slice(0, end)),
    summaries: decodePage(text.slice(end)),
  };
}
