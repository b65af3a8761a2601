import type { Look } from '../sources/look.ts';

const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org\b/;
/** The first of these is the kind of a text that begins with a tag. */
const ROOT = /<(?:(!doctype html|html)|rss|rdf:RDF|(?:\w+:)?feed)[\s>]/i;
/** WordPress writes its exports as feeds. */
const EXPORT = /<wp:/;

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
  return root !== null && root[1] === undefined && !EXPORT.test(beginning) ? 'a feed' : null;
}
