import { NotAnExport } from '../errors.ts';
import { tidyLine } from '../../common/content/text.ts';
import { type End, readExport } from './entries.ts';
import { findMeta, getText, getType, type Item, toSiteKey } from './item.ts';
import { whyHidden } from './restrictions.ts';

/** An image or another file that posts refer to by number. */
export interface Attachment {
  readonly url: string;
  readonly alt: string;
  /** HTML. */
  readonly caption: string;
}

/** Shared by the posts of one site. */
export interface Site {
  /** Its address without scheme, `www.` and trailing slash; empty if no file names it. */
  readonly key: string;
  readonly name: string;
  /** As in the export; empty if no file names it. */
  readonly url: string;
  /** `en` for `en-US`; null if no file names it. */
  readonly language: string | null;
  /** Login → display name, as written. */
  readonly authors: Map<string, string>;
  /** By number. */
  readonly attachments: Map<string, Attachment>;
  /** The numbers of those that were uploaded to a post, by its number. */
  readonly attachmentsByPost: Map<string, string[]>;
  /** The content of patterns (blocks that several posts share), by number. */
  readonly patterns: Map<string, string>;
}

/**
 * The first reading of all files: the site of each, its authors, and the data that posts refer to by number. A part of a
 * split export may need data from another part, and posts precede the images that they show.
 *
 * @returns sites by file, without the files that are not exports
 * @param unusable receives each of these; the others are still read
 */
export async function surveySites(
  files: readonly string[],
  unusable: (error: NotAnExport, file: string) => void,
  onRead: () => void,
): Promise<ReadonlyMap<string, Site>> {
  const sites = new Map<string, Site>();
  const sitesByFile = new Map<string, Site>();
  for (const file of files) {
    try {
      sitesByFile.set(file, await surveyFile(file, sites));
    } catch (error) {
      if (!(error instanceof NotAnExport)) throw error;
      unusable(error, file);
    }
    onRead();
  }
  return sitesByFile;
}

async function surveyFile(file: string, sites: Map<string, Site>): Promise<Site> {
  const channel = new Map<string, string>();
  const authors = new Map<string, string>();
  let site: Site | null = null;
  for await (const entry of readExport(file)) {
    if (entry.kind === 'channel' && CHANNEL_FIELDS.has(entry.field)) {
      if (!channel.has(entry.field)) channel.set(entry.field, tidyLine(entry.text));
    } else if (entry.kind === 'author') {
      const login = tidyLine(entry.login);
      if (login !== '' && !authors.has(login)) authors.set(login, tidyLine(entry.name));
    } else if (entry.kind === 'item') {
      site ??= findOrAddSite(channel, sites);
      collectReferences(entry.item, site);
    } else if (entry.kind === 'end' && !entry.end.isWordPress) {
      throw new NotAnExport(file, describeContent(entry.end));
    }
  }
  site ??= findOrAddSite(channel, sites);
  for (const [login, name] of authors) if (!site.authors.get(login)) site.authors.set(login, name);
  return site;
}

const CHANNEL_FIELDS = new Set(['title', 'link', 'language', 'wp:base_blog_url']);

/** Several files may be parts of the same site's export. */
function findOrAddSite(channel: ReadonlyMap<string, string>, sites: Map<string, Site>): Site {
  const url = channel.get('wp:base_blog_url') || channel.get('link') || '';
  const key = toSiteKey(url);
  const known = sites.get(key);
  if (known !== undefined) return known;
  const site: Site = {
    key,
    name: channel.get('title') ?? '',
    url,
    language:
      channel
        .get('language')
        ?.toLowerCase()
        .replace(/[-_].*$/, '') || null,
    authors: new Map(),
    attachments: new Map(),
    attachmentsByPost: new Map(),
    patterns: new Map(),
  };
  sites.set(key, site);
  return site;
}

function collectReferences(item: Item, site: Site): void {
  const id = getText(item, 'wp:post_id');
  const type = getType(item);
  // WordPress shows nothing for an unpublished pattern.
  if (type === 'wp_block' && whyHidden(item) === null && !site.patterns.has(id))
    site.patterns.set(id, detachedCopy(item.fields.get('content:encoded') ?? ''));
  if (type !== 'attachment' || site.attachments.has(id)) return;
  site.attachments.set(id, {
    url: detachedCopy(getText(item, 'wp:attachment_url') || getText(item, 'guid')),
    alt: detachedCopy(findMeta(item, '_wp_attachment_image_alt') ?? ''),
    caption: detachedCopy(getText(item, 'excerpt:encoded')),
  });
  const parent = getText(item, 'wp:post_parent');
  const siblings = site.attachmentsByPost.get(parent) ?? [];
  siblings.push(id);
  site.attachmentsByPost.set(parent, siblings);
}

/** A substring keeps its whole text in memory. */
function detachedCopy(text: string): string {
  return Buffer.from(text).toString();
}

function describeContent({ root, beginning }: End): string {
  if (beginning.trim() === '') return 'it is empty';
  if (/^[\s\uFEFF]*[[{]/.test(beginning)) return 'it is JSON';
  if (/^(?:html|head)$/i.test(root ?? '')) return 'it is a web page';
  if (root === 'rss' || root === 'atom:feed') return 'it is a feed, which has only the newest posts';
  const isXml = /^[\s\uFEFF]*<(?:\?xml|!|[\w:]+[\s/>])/.test(beginning);
  return isXml ? 'it is another kind of XML' : 'it is not XML';
}
