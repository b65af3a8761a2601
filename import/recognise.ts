import { join } from 'node:path';
import { enginesAt, type SiteEngine } from './engine/site-around.ts';
import { ImportError } from './errors.ts';
import type { FormatName } from './format-names.ts';
import { type SourceProbe, someBegin } from './sources/probe.ts';
import { POST_FILE, whyNoPage } from './sources/pages.ts';

type Recogniser = (probe: SourceProbe) => string | null | Promise<string | null>;

/** By format, what a source is, from a probe of it: `a Ghost export`; null: another format's. */
export const RECOGNISE: Readonly<Record<FormatName, Recogniser>> = {
  markdown: async (probe) => (probe.kind === 'folder' ? markdownIn(probe) : null),
  hugo: recogniseSite('Hugo'),
  jekyll: recogniseSite('Jekyll'),
  wordpress: wordPressIn,
  ghost: (probe) => {
    if (probe.kind === 'address') return GHOST_PAGE.test(probe.beginning) ? 'a running Ghost' : null;
    return probe.kind === 'file' && GHOST_EXPORT.test(probe.beginning) ? 'a Ghost export' : null;
  },
  feed: (probe) => (probe.kind === 'folder' ? null : feedIn(probe.beginning)),
  sql: (probe) =>
    probe.kind === 'file' && probe.beginning.startsWith('SQLite format 3\0') ? 'a SQLite database' : null,
  items: (probe) =>
    probe.kind === 'file' && /\.(?:ndjson|jsonl)$/i.test(probe.path) ? 'a file of items' : null,
};

type Folder = Extract<SourceProbe, { readonly kind: 'folder' }>;

function recogniseSite(engine: SiteEngine): Recogniser {
  return async (probe) =>
    probe.kind === 'folder' && (await enginesAt(probe.path)).includes(engine) ? `a ${engine} site` : null;
}

const MARKDOWN = /\.(?:md|markdown|mkdn?|mdown)$/i;
/** Files of a repository about itself. */
const README = /^(?:.*\/)?(?:readme|licen[cs]e|contributing|changelog)\.[^./]*$/i;
/** YAML or TOML. */
const FRONT_MATTER = /^(?:---|\+\+\+)\s/;

/** A folder with a file that may be a post: a README is none, and HTML needs front matter. */
async function markdownIn(probe: Folder): Promise<string | null> {
  if ((await enginesAt(probe.path)).length > 0) return null;
  const posts = probe.files.filter(
    (path) => POST_FILE.test(path) && whyNoPage(path) === null && !README.test(path),
  );
  const sites = posts.every((path) => path.includes('/')) ? await sitesIn(probe) : [];
  if (sites.length > 0 && posts.every((path) => sites.some((site) => path.startsWith(`${site}/`))))
    throw new ImportError(
      `${probe.path} has ${sites.length === 1 ? 'a site' : 'sites'} in it. ` +
        `Import ${sites.map((site) => join(probe.path, site)).join(' or ')}.`,
    );
  const isFound =
    posts.some((path) => MARKDOWN.test(path)) ||
    (await someBegin(probe.path, posts, (text) => FRONT_MATTER.test(text)));
  return isFound ? 'a folder of Markdown' : null;
}

/** The folders in a folder that are sites of Hugo or Jekyll. */
async function sitesIn({ path: folder, files }: Folder): Promise<readonly string[]> {
  const names = new Set(files.map((path) => path.split('/', 1)[0] ?? '').filter((name) => !/^\./.test(name)));
  const sites: string[] = [];
  for (const name of names) {
    const engines = await enginesAt(join(folder, name)).catch(() => []);
    if (engines.length > 0) sites.push(name);
  }
  return sites;
}

/** `{"db": [{"meta": …` and, in older exports, `{"meta": …, "data": {` or `{"data": {`. */
const GHOST_EXPORT =
  /^\s*\{\s*(?:"db"\s*:\s*\[|"data"\s*:\s*\{|"meta"\s*:\s*\{\s*"(?:exported_on|version)"\s*:)/;
const GHOST_PAGE = /<meta name="generator" content="Ghost\b|\/ghost\/api\/(?:content|admin)\//i;

/** Names that only an export has; fragments of one may lack the namespace. */
const WORDPRESS_EXPORT = /<wp:(?:wxr_version|base_site_url|author|category|tag|post_id|post_type)>/;
const WORDPRESS_PAGE = /rel=["']https:\/\/api\.w\.org\/["']|<meta name="generator" content="WordPress\b/i;

async function wordPressIn(probe: SourceProbe): Promise<string | null> {
  const isExport = (text: string): boolean => WORDPRESS_EXPORT.test(text);
  const isXml = (path: string): boolean => /^(?:[^/]+\/)?[^/]+\.(?:xml|wxr)$/i.test(path);
  if (probe.kind === 'address')
    return WORDPRESS_PAGE.test(probe.link) || WORDPRESS_PAGE.test(probe.beginning)
      ? 'a running WordPress'
      : null;
  if (probe.kind === 'file') return isExport(probe.beginning) ? 'a WordPress export' : null;
  return (await someBegin(probe.path, probe.files.filter(isXml), isExport))
    ? 'a folder with a WordPress export'
    : null;
}

const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org\b/;
/** The first of these is the kind of a text that begins with a tag. */
const ROOT = /<(?:(!doctype html|html)|rss|rdf:RDF|(?:\w+:)?feed)[\s>]/i;
/** WordPress writes its exports as feeds. */
const ANY_OF_WORDPRESS = /<wp:/;

function feedIn(beginning: string): string | null {
  if (JSON_FEED.test(beginning)) return 'a JSON feed';
  const root = /^\s*</.test(beginning) ? ROOT.exec(beginning) : null;
  return root !== null && root[1] === undefined && !ANY_OF_WORDPRESS.test(beginning) ? 'a feed' : null;
}

const FEED_TYPE = /\bapplication\/(?:rss\+xml|atom\+xml|feed\+json)\b/i;

/** The feeds that a web page names (HTML, 4.6.7.1). @param address of the page */
export function findFeeds(
  { beginning }: Extract<SourceProbe, { readonly kind: 'address' }>,
  address: string,
): readonly string[] {
  const links = beginning.match(/<link\s[^>]*>/gi) ?? [];
  return links
    .filter((link) => /\balternate\b/i.test(link) && FEED_TYPE.test(link))
    .map((link) => URL.parse(/\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(link)?.[1] ?? '', address)?.href)
    .filter((feed) => feed !== undefined);
}
