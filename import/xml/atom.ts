import { escapeHtml } from '../../common/content/text.ts';
import { childrenNamed, childText, innerHtml, resolved, textIn, type XmlElement } from './elements.ts';

/** RFC 5023: an entry that must not be shown yet. */
export function isDraft(entry: XmlElement): boolean {
  return childrenNamed(entry, 'app:control').some((control) =>
    /^yes$/i.test(childText(control, 'app:draft')),
  );
}

/** The address of the first link of a kind, preferring web pages. Empty without one. */
export function linkOf(element: XmlElement, rel: string, url: string | null): string {
  const links = childrenNamed(element, 'atom:link').filter(
    ({ attributes }) => (attributes['rel'] ?? 'alternate') === rel && attributes['href']?.trim(),
  );
  const page = links.find(({ attributes }) => /html/.test(attributes['type'] ?? 'html')) ?? links[0];
  return page === undefined ? '' : resolved(page.attributes['href'] ?? '', page.base ?? url);
}

/** A text of Atom (RFC 4287, 3.1) as HTML. */
export function atomText(element: XmlElement): string {
  switch (typeOf(element)) {
    case 'xhtml':
      return xhtmlIn(element);
    case 'html':
      return textIn(element);
    default:
      return escapeHtml(textIn(element));
  }
}

/** The short form of a type. Atom 0.3 has media types and a mode instead. */
export function typeOf({ attributes }: XmlElement): string {
  const type = attributes['type']?.trim().toLowerCase() ?? '';
  if (type === 'application/xhtml+xml' || attributes['mode'] === 'xml') return 'xhtml';
  return type === 'text/html' ? 'html' : type;
}

/** The content of the `div` around XHTML, which is not part of the text. */
function xhtmlIn(element: XmlElement): string {
  const [div] = childrenNamed(element, 'xhtml:div', 'atom:div', 'div');
  return innerHtml(div ?? element).trim();
}
