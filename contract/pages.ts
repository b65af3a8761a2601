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
