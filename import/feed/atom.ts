import { htmlToText } from '../../common/content/html-text.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { childrenNamed, childText, innerHtml, resolved, textIn, type XmlElement } from '../xml/elements.ts';
import { findMedia, paragraphs } from './body.ts';
import { authorsNamed, type FeedEntry } from './entry.ts';

/** One `entry` of Atom (RFC 4287); the names of Atom 0.3 are known too. */
export function atomEntry(entry: XmlElement, url: string | null): FeedEntry {
  const [content] = childrenNamed(entry, 'atom:content');
  const [summary] = childrenNamed(entry, 'atom:summary');
  const [title] = childrenNamed(entry, 'atom:title');
  const id = childText(entry, 'atom:id');
  const enclosures = childrenNamed(entry, 'atom:link')
    .filter(({ attributes }) => attributes['rel'] === 'enclosure')
    .map(({ attributes, base }) => ({
      url: resolved(attributes['href'] ?? '', base ?? url),
      type: attributes['type'] ?? '',
    }));
  return {
    id,
    // An id that is an address is the entry's page if nothing else is.
    url:
      childText(entry, 'feedburner:origLink') ||
      findLink(entry, 'alternate', url) ||
      (/^https?:\/\//i.test(id) ? id : ''),
    title: title === undefined ? '' : htmlToText(atomText(title)),
    content: content === undefined ? '' : atomContent(content),
    summary: summary === undefined ? '' : atomText(summary),
    base: (content ?? entry).base,
    ...findMedia(entry, enclosures, url),
    published: childText(entry, 'atom:published', 'atom:issued'),
    updated: childText(entry, 'atom:updated', 'atom:modified'),
    categories: childrenNamed(entry, 'atom:category').map(
      ({ attributes }) => attributes['label']?.trim() || (attributes['term'] ?? ''),
    ),
    tags: [],
    authors: authorsNamed(
      childrenNamed(entry, 'atom:author').map((author) => childText(author, 'atom:name')),
    ),
    language: (content ?? entry).language,
    hidden: isDraft(entry) ? 'draft' : null,
    noPost: childrenNamed(entry, 'thr:in-reply-to').length > 0 ? 'is a comment on another entry' : null,
    lost: [],
  };
}

/** RFC 4287, 4.1.3: content that is not text is dropped; content elsewhere becomes its address. */
function atomContent(element: XmlElement): string {
  const type = shortType(element);
  if (element.attributes['src'] !== undefined) return '';
  if (type === 'xhtml' || type === 'html') return atomText(element);
  return type === '' || type === 'text' || type.startsWith('text/') ? paragraphs(textIn(element)) : '';
}

/** RFC 5023: an entry that must not be shown yet. */
export function isDraft(entry: XmlElement): boolean {
  return childrenNamed(entry, 'app:control').some((control) =>
    /^yes$/i.test(childText(control, 'app:draft')),
  );
}

/** The address of the first link of a kind, preferring web pages. It may be text, as in RSS. Empty without one. */
export function findLink(element: XmlElement, rel: string, url: string | null): string {
  const links = childrenNamed(element, 'atom:link').filter(
    (link) => (link.attributes['rel'] ?? 'alternate') === rel && getHref(link) !== '',
  );
  const page = links.find(({ attributes }) => /html/.test(attributes['type'] ?? 'html')) ?? links[0];
  return page === undefined ? '' : resolved(getHref(page), page.base ?? url);
}

function getHref(link: XmlElement): string {
  return link.attributes['href']?.trim() || textIn(link);
}

/** A text of Atom (RFC 4287, 3.1) as HTML. */
export function atomText(element: XmlElement): string {
  switch (shortType(element)) {
    case 'xhtml':
      return xhtmlIn(element);
    case 'html':
      return textIn(element);
    default:
      return escapeHtml(textIn(element));
  }
}

/** The short form of a type. Atom 0.3 has media types and a mode instead. */
function shortType({ attributes }: XmlElement): string {
  const type = attributes['type']?.trim().toLowerCase() ?? '';
  if (type === 'application/xhtml+xml' || attributes['mode'] === 'xml') return 'xhtml';
  return type === 'text/html' ? 'html' : type;
}

/** The content of the `div` around XHTML, which is not part of the text. */
function xhtmlIn(element: XmlElement): string {
  const [div] = childrenNamed(element, 'xhtml:div', 'atom:div', 'div');
  return innerHtml(div ?? element).trim();
}
