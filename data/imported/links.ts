import { Parser } from 'htmlparser2';
import { postPath } from '../../common/site-paths.ts';
import type { BlogDatabase } from '../database.ts';
import { type Tally, talliesOf } from './report.ts';
import { decodePercent } from '../../common/content/slug.ts';

/** The public site, to resolve links against. */
export interface LinkedSite {
  /** Without a trailing slash. */
  readonly url: string;
  /** The pattern of posts' paths (common/site-paths.ts). */
  readonly postPath: string;
}

interface Row {
  readonly source: string | null;
  readonly slug: string;
  readonly url: string | null;
  readonly publishedAt: string | null;
  readonly category: string | null;
}

/** Endings of pages; any other ending is that of a file, such as an image. */
const PAGE_ENDING = /\.(?:html?|php|aspx?|md|mdx|markdown)$/i;
const FILE_ENDING = /\.[a-z][a-z\d]{1,4}$/i;
/** As in the build (build/html/work-limits.ts). */
const MAX_DEPTH = 200;
/** Source files, which the site itself does not have. */
const SOURCE_ENDING = /\.(?:md|mdx|markdown)$/i;

/**
 * Links in published posts to post addresses that no post has, by address. A link within the site counts if it ends
 * like a post's slug, if its path has the form of posts' paths (`/2019/05/…`, `/posts/…`), or if it leads to a Markdown
 * file. Links to other pages of the site cannot be checked.
 *
 * @param isRead whether to check the links of the post with this `source`
 * @param aliases other paths that lead to posts, below the site's address or its host's
 */
export function brokenLinks(
  db: BlogDatabase,
  site: LinkedSite,
  isRead: (source: string) => boolean,
  aliases: readonly string[] = [],
): Tally[] {
  const posts = db
    .prepare<[], Row>(
      `SELECT source, posts.slug, url, published_at AS publishedAt, categories.slug AS category
       FROM posts LEFT JOIN categories ON categories.id = category_id
       WHERE status IN ('published', 'scheduled')`,
    )
    .all();
  const root = new URL(`${site.url}/`);
  const addresses = new Map(posts.map((post) => [post, addressOf(post, site)] as const));
  const known = new Set<string>();
  const forms = new Set<string>();
  for (const address of addresses.values()) {
    if (address === null || !isWithin(address, root)) continue;
    known.add(nameOf(address));
    const form = formOf(address);
    // At the top of the site, posts cannot be told from other pages.
    if (form !== formOf(root)) forms.add(form);
  }
  for (const path of aliases) {
    for (const base of [path, `.${path.startsWith('/') ? '' : '/'}${path}`]) {
      const address = URL.parse(base, root.href);
      if (address !== null && isWithin(address, root)) known.add(nameOf(address));
    }
  }
  const slugs = new Set(posts.map(({ slug }) => slug));
  const isBroken = (link: URL): boolean => {
    if (!isWithin(link, root) || known.has(nameOf(link))) return false;
    const last = lastSegment(link);
    if (SOURCE_ENDING.test(last)) return true;
    const bare = last.replace(PAGE_ENDING, '');
    return bare !== '' && !FILE_ENDING.test(bare) && (slugs.has(bare) || forms.has(formOf(link)));
  };

  const body = db.prepare<[string], string>('SELECT body FROM posts WHERE source = ?').pluck();
  const found: { what: string; source: string }[] = [];
  for (const [{ source }, address] of addresses) {
    if (source === null || !isRead(source)) continue;
    // A post whose address is on another site still has links relative to this one.
    const base = address !== null && isWithin(address, root) ? address : root;
    for (const href of linksIn(body.get(source) ?? '')) {
      const link = URL.parse(href, base.href);
      if (link && isBroken(link)) found.push({ what: link.href.replace(/[?#].*$/s, ''), source });
    }
  }
  return talliesOf(found);
}

function addressOf({ slug, url, publishedAt, category }: Row, site: LinkedSite): URL | null {
  if (url !== null) return URL.parse(url, `${site.url}/`);
  return URL.parse(site.url + postPath(site.postPath, { slug, publishedAt, category }));
}

/** `http` and `https`, with or without `www.`, are the same site. */
function isWithin(address: URL, root: URL): boolean {
  const bare = ({ host }: URL): string => host.replace(/^www\./, '');
  return bare(address) === bare(root) && `${address.pathname}/`.startsWith(root.pathname);
}

/** Normalises the ways to write a page's address: `/a/`, `/a`, `/a.html`, `/a/index.html`. */
function nameOf({ pathname }: URL): string {
  return decodePercent(pathname)
    .replace(/\/index\.html?$/i, '')
    .replace(/\.html?$/i, '')
    .replace(/\/+$/, '');
}

/** The form of an address's folders: `/#/#` for `/2019/05/hello/`. */
function formOf(address: URL): string {
  const segments = nameOf(address).split('/').slice(0, -1);
  return segments.map((segment) => (/^\d+$/.test(segment) ? '#' : segment)).join('/');
}

function lastSegment({ pathname }: URL): string {
  return decodePercent(pathname.replace(/\/+$/, '')).split('/').at(-1) ?? '';
}

function linksIn(html: string): string[] {
  if (!/<a\s/i.test(html)) return [];
  const links: string[] = [];
  let open = 0;
  const parser = new Parser({
    onclosetag: () => void open--,
    onopentag(name, { href }) {
      // Each tag searches the open elements, and the build leaves such a text out.
      if (++open > MAX_DEPTH) parser.pause();
      if (name === 'a' && href !== undefined && !href.startsWith('#')) links.push(href);
    },
  });
  parser.end(html);
  return links;
}
