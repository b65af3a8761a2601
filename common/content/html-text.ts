import renderHtml from 'dom-serializer';
import sanitizeHtml from 'sanitize-html';
import type { HtmlElement } from './html-tree.ts';
import { tidyLine, unescapeHtml } from './text.ts';

/** One line never needs more HTML: a description has 5,000 characters at most. */
const MAX_LINE_HTML = 50_000;

/** The visible text of a piece of HTML, on one line: no tags, no scripts, entities decoded. */
export function htmlToText(html: string): string {
  // Words before and after the end of a block must not be joined.
  const spaced = html
    .slice(0, MAX_LINE_HTML)
    .replace(/<(?:br|\/(?:p|div|li|h[1-6]|blockquote|pre|t[dhr]|figcaption))\b/gi, ' $&');
  return tidyLine(unescapeHtml(sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} })));
}

/** The visible text of an element, on one line. */
export function plainText(element: HtmlElement | undefined): string {
  return element === undefined ? '' : htmlToText(renderHtml(element.children));
}
