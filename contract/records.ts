/**
 * Whole articles: the fields of the summary and of the detail. The record is cut out of these two JSON texts. A quoted
 * field name cannot occur inside a JSON string, where quotes are escaped.
 */

/**
 * The record of an article as JSON text.
 *
 * @param summary its record in lists, with its view count
 * @param detail the text of its object `post`
 * @throws RangeError if the detail lacks a field that the build writes
 */
export function wholeRecord(summary: string, detail: string): string {
  const content = detail.indexOf(',"content":"');
  const tags = detail.indexOf('","tags":[', content) + 1;
  const seo = detail.indexOf(',"seo":{', tags);
  const end = detail.indexOf(',"published_at":"', seo);
  if (content < 0 || tags <= 0 || seo < 0 || end < 0) throw new RangeError('An article lacks a field.');
  return summary.slice(0, -1) + detail.slice(content, tags) + detail.slice(seo, end) + '}';
}
