import { htmlTitle } from '../article/fields.ts';
import { childrenNamed, childText, childTexts, resolved, textIn, type XmlElement } from '../xml/elements.ts';
import { findLink, isDraft } from './atom.ts';
import { authorsNamed, type FeedEntry } from './entry.ts';
import { findMedia } from './body.ts';

/** One `item` of RSS 2.0 (https://www.rssboard.org/rss-specification) or RSS 1.0, with the modules that blogs use. */
export function rssEntry(item: XmlElement, url: string | null): FeedEntry {
  const [guid] = childrenNamed(item, 'guid');
  const id = childText(item, 'guid', 'atom:id');
  const isPage = guid?.attributes['isPermaLink']?.toLowerCase() !== 'false' && /^https?:\/\//i.test(id);
  const link = childText(item, 'feedburner:origLink', 'link');
  const enclosures = childrenNamed(item, 'enclosure').map(({ attributes }) => ({
    url: resolved(attributes['url'] ?? '', url),
    type: attributes['type'] ?? '',
  }));
  const texts = new Set(childrenNamed(item, 'content:encoded').map(textIn).filter(Boolean));
  return {
    id: id || (item.attributes['rdf:about']?.trim() ?? ''),
    url:
      link === '' ? findLink(item, 'alternate', url) || (isPage ? id : '') : resolved(link, item.base ?? url),
    title: htmlTitle(childText(item, 'title', 'dc:title')),
    content: childText(item, 'content:encoded', 'content'),
    summary: childText(item, 'description', 'dc:description', 'itunes:summary'),
    base: item.base,
    ...findMedia(item, enclosures, url),
    published: childText(item, 'pubDate', 'dc:date', 'atom:published'),
    updated: childText(item, 'atom:updated'),
    categories: [...childrenNamed(item, 'category', 'dc:subject')].map((category) =>
      htmlTitle(ownText(category)),
    ),
    tags: [],
    authors: authorsNamed(childTexts(item, 'dc:creator', 'author', 'itunes:author')),
    language: childText(item, 'dc:language') || item.language,
    hidden: isDraft(item) ? 'draft' : null,
    noPost: childrenNamed(item, 'thr:in-reply-to').length > 0 ? 'is a comment on another entry' : null,
    lost: texts.size > 1 ? [['additional content:encoded', 'only the first is read']] : [],
  };
}

function ownText({ children }: XmlElement): string {
  return children
    .filter((child) => typeof child === 'string')
    .join('')
    .trim();
}
