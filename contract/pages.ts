/**
 * Objects of kind `page` and `authors`: up to 50 records, one a line. Readers cut out records as text and join them
 * into an answer, without parsing and serialising JSON. (Line breaks inside JSON strings are always escaped, so a line
 * is always a whole record.)
 *
 * Pages are counted from the oldest post, so a full page does not change when a post is appended.
 */

/** Records in a full page. */
export const PAGE_SIZE = 50;

/** @param records JSON texts, each on one line */
export function encodePage(records: readonly string[]): string {
  return `[\n${records.join(',\n')}\n]\n`;
}

/** @returns the JSON text of each record */
export function decodePage(text: string): string[] {
  return text.slice(2, -3).split(',\n');
}

/**
 * The placeholder for the view count in a summary. Unescaped quotes cannot occur inside a JSON string, so the first
 * occurrence is the field itself.
 */
const VIEWS_PLACE = '"views":0';

/** A summary as JSON text with a view count of 0; fields in the interface's order. */
export function encodeSummary(summary: Readonly<Record<string, unknown>>): string {
  const { slug, title, description, cover, ...rest } = summary;
  return JSON.stringify({ slug, title, description, cover, views: 0, ...rest });
}

/** Splits the text of a summary at its view count. */
export function splitAtViews(summary: string): SplitSummary {
  const at = summary.indexOf(VIEWS_PLACE) + VIEWS_PLACE.length - 1;
  return { head: summary.slice(0, at), tail: summary.slice(at + 1) };
}

/** The parts of a summary before and after its view count. */
export interface SplitSummary {
  readonly head: string;
  readonly tail: string;
}

/** A summary's text without its view count. */
export function withoutViews({ head, tail }: SplitSummary): string {
  return head.slice(0, 1 - VIEWS_PLACE.length) + tail.slice(1);
}
