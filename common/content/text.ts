/** One line of text: valid Unicode, single spaces, no control characters, and no change of direction beyond its end. */
export function tidyLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * A file's text as the importer expects it: lines end in `\n`, and the only control characters are tab and line feed.
 * NUL ends a string for many programs. XML does not allow a form feed, and an excerpt may end up in a feed.
 */
export function tidyText(text: string): string {
  return text
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');
}

/** The inner HTML of the first heading; empty without one. */
export function firstHeading(html: string): string {
  const open = /<h[1-6][^<>]*>/.exec(html);
  if (open === null) return '';
  const from = open.index + open[0].length;
  const length = html.slice(from).search(/<\/h[1-6]>/);
  return length === -1 ? '' : html.slice(from, from + length);
}

/** Decodes the four entities that the sanitiser's output may contain. */
export function unescapeHtml(html: string): string {
  if (!html.includes('&')) return html;
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Escapes text for HTML, including attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
