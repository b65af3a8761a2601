import { NotAnExport } from '../errors.ts';
import { tidyLine } from '../../common/content/text.ts';
import { readEntries, type End } from './entries.ts';
import { metaOf, textOf, typeOf, type Item } from './item.ts';
import type { Library } from './library.ts';
import { isPublic } from './status.ts';

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
}

/** The result of the first reading. */
export interface Survey {
  /** The site that a file is an export of. */
  readonly siteOf: (file: string) => Site;
}

/**
 * The first reading of all files: the site, its authors, and the data that posts refer to by number, for the library. A
 * part of a split export may need data from another part.
 *
 * `unusable` receives each file that is not an export; the others are still read.
 */
export async function surveyOf(
  files: readonly string[],
  library: Library,
  unusable: (error: NotAnExport, file: string) => void,
  onRead: (bytes: number) => void,
): Promise<Survey> {
  const sites = new Map<string, Site>();
  const siteOfFile = new Map<string, Site>();
  for (const file of files) {
    try {
      siteOfFile.set(file, await surveyFile(file, sites, library, onRead));
    } catch (error) {
      if (!(error instanceof NotAnExport)) throw error;
      unusable(error, file);
    }
  }
  return {
    siteOf: (file) => {
      const site = siteOfFile.get(file);
      if (site === undefined) throw new Error(`${file} was not surveyed`);
      return site;
    },
  };
}

async function surveyFile(
  file: string,
  sites: Map<string, Site>,
  library: Library,
  onRead: (bytes: number) => void,
): Promise<Site> {
  const channel = new Map<string, string>();
  const authors = new Map<string, string>();
  let site: Site | null = null;
  for await (const entry of readEntries(file, onRead)) {
    if (entry.kind === 'channel' && CHANNEL_FIELDS.has(entry.field)) {
      if (!channel.has(entry.field)) channel.set(entry.field, tidyLine(entry.text));
    } else if (entry.kind === 'author') {
      const login = tidyLine(entry.login);
      if (login !== '' && !authors.has(login)) authors.set(login, tidyLine(entry.name));
    } else if (entry.kind === 'item') {
      site ??= siteNamed(channel, sites);
      collect(entry.item, site, library);
    } else if (entry.kind === 'end' && !entry.end.isWordPress) {
      throw new NotAnExport(file, whatItIs(entry.end));
    }
  }
  site ??= siteNamed(channel, sites);
  for (const [login, name] of authors) if (!site.authors.get(login)) site.authors.set(login, name);
  return site;
}

const CHANNEL_FIELDS = new Set(['title', 'link', 'language', 'wp:base_blog_url']);

/** Several files may be parts of the same site's export. */
function siteNamed(channel: ReadonlyMap<string, string>, sites: Map<string, Site>): Site {
  const url = channel.get('wp:base_blog_url') || channel.get('link') || '';
  const key = siteKey(url);
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
  };
  sites.set(key, site);
  return site;
}

/** `example.com/blog` for `https://www.example.com/blog/?p=3`; empty if it is not an address. */
export function siteKey(address: string): string {
  const [, key = ''] = /^https?:\/\/(?:www\.)?([^?#]+)/i.exec(address) ?? [];
  return key.replace(/\/+$/, '').toLowerCase();
}

function collect(item: Item, { key }: Site, library: Library): void {
  const id = textOf(item, 'wp:post_id');
  const type = typeOf(item);
  // WordPress shows nothing for an unpublished pattern.
  if (type === 'wp_block' && isPublic(item))
    library.addPattern(key, id, item.fields.get('content:encoded') ?? '');
  if (type !== 'attachment') return;
  library.addAttachment(key, id, textOf(item, 'wp:post_parent'), {
    url: textOf(item, 'wp:attachment_url') || textOf(item, 'guid'),
    alt: metaOf(item, '_wp_attachment_image_alt') ?? '',
    caption: textOf(item, 'excerpt:encoded'),
  });
}

function whatItIs({ root, beginning }: End): string {
  if (beginning.trim() === '') return 'it is empty';
  if (/^[\s\uFEFF]*[[{]/.test(beginning)) return 'it is JSON';
  if (/^(?:html|head)$/i.test(root ?? '')) return 'it is a web page';
  if (root === 'rss' || root === 'atom:feed') return 'it is a feed, which has only the newest posts';
  const isXml = /^[\s\uFEFF]*<(?:\?xml|!|[\w:]+[\s/>])/.test(beginning);
  return isXml ? 'it is XML of another kind' : 'it is not XML';
}
