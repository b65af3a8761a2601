import sanitizeHtml from 'sanitize-html';

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

/** One line never needs more HTML: a description has 5,000 characters at most. */
const MAX_LINE_HTML = 50_000;

/** The visible text of a piece of HTML, on one line: no tags, no scripts, entities decoded. */
export function textOfHtml(html: string): string {
  // Words before and after the end of a block must not be joined.
  const spaced = html
    .slice(0, MAX_LINE_HTML)
    .replace(/<(?:br|\/(?:p|div|li|h[1-6]|blockquote|pre|t[dhr]|figcaption))\b/gi, ' $&');
  const escaped = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  // The sanitiser leaves only these four entities.
  const text = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return tidyLine(text);
}

/** The inner HTML of the first heading; empty without one. */
export function firstHeading(html: string): string {
  const open = /<h[1-6][^<>]*>/.exec(html);
  if (open === null) return '';
  const from = open.index + open[0].length;
  const length = html.slice(from).search(/<\/h[1-6]>/);
  return length === -1 ? '' : html.slice(from, from + length);
}

/** Escapes text for HTML, including attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
