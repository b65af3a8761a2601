/**
 * Objects of kind `page` and `authors`: up to 50 records, one a line, so that a reader can cut out
 * records as text and join them to an answer without parsing and printing JSON again. (A line break
 * inside a JSON string is always escaped, so a line is always a whole record.)
 *
 * Pages are cut by position from the oldest post: a full page never changes when a post is appended.
 */

/** Records in a full page. */
export const PAGE_SIZE = 50;

/** @param records each the JSON text of one record, on one line */
export function encodePage(records: readonly string[]): string {
  return `[\n${records.join(',\n')}\n]\n`;
}

/** @returns the JSON text of each record */
export function decodePage(text: string): string[] {
  return text.slice(2, -3).split(',\n');
}

/**
 * The place that a summary keeps free for its view count. Unescaped quotes cannot occur inside a JSON
 * string, so the first occurrence is the field itself.
 */
const VIEWS_PLACE = '"views":0';

/** A summary as JSON text, its view count still 0; fields in the interface's order. */
export function encodeSummary(summary: Readonly<Record<string, unknown>>): string {
  const { slug, title, description, cover, ...rest } = summary;
  return JSON.stringify({ slug, title, description, cover, views: 0, ...rest });
}

/** Splits a summary's text at its view count. */
export function splitAtViews(summary: string): SplitSummary {
  const at = summary.indexOf(VIEWS_PLACE) + VIEWS_PLACE.length - 1;
  return { head: summary.slice(0, at), tail: summary.slice(at + 1) };
}

/** A summary is `head`, the view count, `tail`. */
export interface SplitSummary {
  readonly head: string;
  readonly tail: string;
}

/** A summary's text without its view count. */
export function withoutViews({ head, tail }: SplitSummary): string {
  return head.slice(0, 1 - VIEWS_PLACE.length) + tail.slice(1);
}
