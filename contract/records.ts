/**
 * An article whole: the fields that it has in lists, and those of its detail. Both are ready texts, and the record is cut
 * out of them: a name of a field between quotes cannot stand inside a JSON string, where quotes are escaped.
 */

/**
 * The record of an article as JSON text.
 *
 * @param summary its record in lists, with its view count
 * @param detail the text of its object `post`
 * @throws RangeError where the detail has not the fields that the build writes
 */
export function wholeRecord(summary: string, detail: string): string {
  const content = detail.indexOf(',"content":"');
  const tags = detail.indexOf('","tags":[', content) + 1;
  const seo = detail.indexOf(',"seo":{', tags);
  const end = detail.indexOf(',"published_at":"', seo);
  if (content < 0 || tags <= 0 || seo < 0 || end < 0) throw new RangeError('An article lacks a field.');
  return summary.slice(0, -1) + detail.slice(content, tags) + detail.slice(seo, end) + '}';
}
