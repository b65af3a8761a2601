import sanitizeHtml from 'sanitize-html';

/** One line of text: valid Unicode, no control characters, no change of direction that outlasts it, single spaces. */
export function tidyLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * A file's text as the rest of the importer expects it: lines end in `\n`, and there are no control
 * characters but tab and line feed. NUL ends a string for many programs, and a form feed is not
 * allowed in XML, where an excerpt may end up in a feed.
 */
export function tidyText(text: string): string {
  return text
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '');
}

/** More HTML than this is not needed for any one line: a description has 5,000 characters at most. */
const MAX_LINE_HTML = 50_000;

/** What a reader sees of a piece of HTML, on one line: no tags, no scripts, entities decoded. */
export function textOfHtml(html: string): string {
  // Words on two sides of a block's end must not grow together.
  const spaced = html
    .slice(0, MAX_LINE_HTML)
    .replace(/<(?:br|\/(?:p|div|li|h[1-6]|blockquote|pre|t[dhr]|figcaption))\b/gi, ' $&');
  const escaped = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  // Of entities the sanitiser leaves these four and no others.
  const text = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return tidyLine(text);
}

/** What is in the first heading of a piece of HTML, in HTML; empty without one. */
export function firstHeading(html: string): string {
  const open = /<h[1-6][^<>]*>/.exec(html);
  if (open === null) return '';
  const from = open.index + open[0].length;
  const length = html.slice(from).search(/<\/h[1-6]>/);
  return length === -1 ? '' : html.slice(from, from + length);
}

/** Text as it stands in HTML, also inside an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
