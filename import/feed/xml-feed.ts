import { htmlToText } from '../../common/content/html-text.ts';
import { escapeHtml, tidyLine } from '../../common/content/text.ts';
import { FeedInvalid } from '../errors.ts';
import { htmlTitle } from '../article/fields.ts';
import {
  childrenNamed,
  childText,
  childTexts,
  readXml,
  resolved,
  textIn,
  type XmlElement,
} from '../xml/elements.ts';
import { atomEntry, atomText, findLink } from './atom.ts';
import { bloggerEntry, bloggerKind } from './blogger.ts';
import { authorsNamed, type Feed, type FeedEntry, type FeedItem } from './entry.ts';
import { rssEntry } from './rss.ts';

const SHAPE = {
  containers: new Set(['rss', 'channel', 'rdf:RDF', 'atom:feed']),
  records: new Set(['item', 'atom:entry']),
};

/** Fields that only an export of WordPress has. */
const WORDPRESS = /^wp:(?:wxr_version|base_blog_url|author|post_type)$/;

/**
 * The items of an XML feed: Atom (RFC 4287), RSS 2.0 and its older versions, or RSS 1.0, each with the modules that
 * blogs use, or an export of Blogger. The feed's own fields must precede its entries; later ones are ignored.
 *
 * @param place names it in messages
 * @param url what its addresses are relative to by default; null: nothing
 * @throws FeedInvalid
 */
export async function* xmlFeedItems(
  place: string,
  texts: AsyncIterable<string>,
  url: string | null,
): AsyncGenerator<FeedItem> {
  let fields: XmlElement[] = [];
  let feed: Feed | null = null;
  let count = 0;
  for await (const entry of readXml(texts, SHAPE)) {
    if (entry.kind === 'end') {
      const { root, isComplete, cut } = entry.end;
      if (root === null || !SHAPE.containers.has(root)) throw new FeedInvalid(place, describeRoot(root));
      if (feed === null) yield { kind: 'feed', feed: feedFrom(fields, url, false) };
      if (!isComplete) yield truncationFault(cut, count);
      return;
    }
    const { element } = entry;
    if (!SHAPE.records.has(element.name)) {
      refuseExport(place, element);
      const next = findNext(element, url);
      if (next !== null) yield { kind: 'next', url: next };
      else if (feed === null && fields.length < MAX_FIELDS) fields.push(element);
      continue;
    }
    if (feed === null) {
      feed = feedFrom(fields, url, url === null && bloggerKind(element) !== null);
      fields = [];
      yield { kind: 'feed', feed };
    }
    count += 1;
    for (const child of element.children) if (typeof child !== 'string') refuseExport(place, child);
    if (entry.kind === 'too large')
      yield {
        kind: 'fault',
        label: labelEntry(element, count),
        reason: 'is larger than the limit for posts',
      };
    else yield { kind: 'entry', entry: entryFrom(element, feed.home ?? url) };
  }
}

function entryFrom(element: XmlElement, url: string | null): FeedEntry {
  if (element.name === 'item') return rssEntry(element, url);
  const kind = bloggerKind(element);
  return kind === null ? atomEntry(element, url) : bloggerEntry(element, kind, url);
}

/** More fields than any feed has of its own. */
const MAX_FIELDS = 1000;

function refuseExport(place: string, { name }: XmlElement): void {
  if (WORDPRESS.test(name)) throw new FeedInvalid(place, 'it is a WordPress export: run "import wordpress"');
}

/** RFC 5005: the next page of a paged feed, or the archive before this one. */
function findNext(element: XmlElement, url: string | null): string | null {
  const { rel = '', href } = element.attributes;
  if (element.name !== 'atom:link' || href === undefined || !/^(?:next|prev-archive)$/i.test(rel.trim()))
    return null;
  return resolved(href, element.base ?? url);
}

function feedFrom(fields: readonly XmlElement[], url: string | null, isComplete: boolean): Feed {
  const root: XmlElement = { name: '', attributes: {}, children: fields, base: null, language: null };
  const isAtom = fields.some(({ name }) => name === 'atom:id' || name === 'atom:title');
  const [title] = childrenNamed(root, 'atom:title', 'title');
  const link = isAtom ? '' : childText(root, 'link');
  const home = link === '' ? findLink(root, 'alternate', url) : resolved(link, url);
  const id = childText(root, 'atom:id');
  const [blogger] = /^tag:blogger\.com,1999:blog-\d+/.exec(id) ?? [];
  const self = blogger ?? (findLink(root, 'self', url ?? home) || id);
  const names = childrenNamed(root, 'atom:author').map((author) => childText(author, 'atom:name'));
  const language = fields.find((field) => field.language !== null)?.language;
  return {
    format: isAtom ? 'Atom' : 'RSS',
    title: title === undefined ? '' : isAtom ? htmlToText(atomText(title)) : htmlTitle(textIn(title)),
    home: home || null,
    // A path alone does not identify the site.
    self: self.startsWith('/') ? null : self || null,
    language: language ?? (childText(root, 'language', 'dc:language') || null),
    authors: authorsNamed(names.length > 0 ? names : childTexts(root, 'dc:creator')),
    generator: childText(root, 'atom:generator', 'generator'),
    isComplete,
  };
}

function labelEntry(element: XmlElement, count: number): string {
  const title = tidyLine(childText(element, 'title', 'atom:title')).slice(0, 200);
  return `entry ${count}${title === '' ? '' : ` "${title}"`}`;
}

function truncationFault(cut: XmlElement | null, count: number): FeedItem {
  const isEntry = cut !== null && SHAPE.records.has(cut.name);
  const where = isEntry ? labelEntry(cut, count + 1) : 'end of the file';
  const whole = `${count} complete ${count === 1 ? 'entry' : 'entries'}`;
  return { kind: 'fault', label: where, reason: `is missing: the feed is cut off after ${whole}` };
}

function describeRoot(root: string | null): string {
  if (root === null) return 'it is neither XML nor JSON';
  if (/^(?:xhtml:)?(?:html|head|body)$/i.test(root)) return 'it is a web page';
  return `it is XML with the root element "${escapeHtml(root).slice(0, 100)}"`;
}
