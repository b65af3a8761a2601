/** What a source is, from a look at it: `an export of Ghost`; null: another format's. */
import { type Look, someBegin } from './sources/look.ts';

/** `{"db": [{"meta": …` and, in older exports, `{"meta": …, "data": {` or `{"data": {`. */
const GHOST_EXPORT =
  /^\s*\{\s*(?:"db"\s*:\s*\[|"data"\s*:\s*\{|"meta"\s*:\s*\{\s*"(?:exported_on|version)"\s*:)/;
const GHOST_PAGE = /<meta name="generator" content="Ghost\b|\/ghost\/api\/(?:content|admin)\//i;

export function recogniseGhost(look: Look): string | null {
  if (look.kind === 'address') return GHOST_PAGE.test(look.beginning) ? 'a running Ghost' : null;
  return look.kind === 'file' && GHOST_EXPORT.test(look.beginning) ? 'an export of Ghost' : null;
}

/** Names that only an export has; fragments of one may lack the namespace. */
const WORDPRESS_EXPORT = /<wp:(?:wxr_version|base_site_url|author|category|tag|post_id|post_type)>/;
const WORDPRESS_PAGE = /rel=["']https:\/\/api\.w\.org\/["']|<meta name="generator" content="WordPress\b/i;

export async function recogniseWordPress(look: Look): Promise<string | null> {
  const isExport = (text: string): boolean => WORDPRESS_EXPORT.test(text);
  const isXml = (path: string): boolean => /^(?:[^/]+\/)?[^/]+\.(?:xml|wxr)$/i.test(path);
  switch (look.kind) {
    case 'address':
      return WORDPRESS_PAGE.test(look.link) || WORDPRESS_PAGE.test(look.beginning)
        ? 'a running WordPress'
        : null;
    case 'file':
      return isExport(look.beginning) ? 'an export of WordPress' : null;
    case 'folder':
      return (await someBegin(look.path, look.files.filter(isXml), isExport))
        ? 'a folder with an export of WordPress'
        : null;
  }
}

const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org\b/;
/** The first of these is the kind of a text that begins with a tag. */
const ROOT = /<(?:(!doctype html|html)|rss|rdf:RDF|(?:\w+:)?feed)[\s>]/i;
/** WordPress writes its exports as feeds. */
const ANY_OF_WORDPRESS = /<wp:/;

/** The feeds that a web page names (HTML, 4.6.7.1). @param address of the page */
export function feedsOf(
  { beginning }: Extract<Look, { kind: 'address' }>,
  address: string,
): readonly string[] {
  const links = beginning.match(/<link\s[^>]*>/gi) ?? [];
  return links
    .filter((link) => /\balternate\b/i.test(link) && FEED_TYPE.test(link))
    .map((link) => URL.parse(/\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(link)?.[1] ?? '', address)?.href)
    .filter((feed) => feed !== undefined);
}

const FEED_TYPE = /\bapplication\/(?:rss\+xml|atom\+xml|feed\+json)\b/i;

export function recogniseFeed(look: Look): string | null {
  if (look.kind !== 'file' && look.kind !== 'address') return null;
  const { beginning } = look;
  if (JSON_FEED.test(beginning)) return 'a JSON feed';
  const root = /^\s*</.test(beginning) ? ROOT.exec(beginning) : null;
  return root !== null && root[1] === undefined && !ANY_OF_WORDPRESS.test(beginning) ? 'a feed' : null;
}
