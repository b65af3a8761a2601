import { Parser } from 'htmlparser2';
import { postPath } from '../../common/site-paths.ts';
import type { BlogDatabase } from '../database.ts';
import { type Tally, talliesOf } from './report.ts';
import { decodePercent } from './slug.ts';

/** The public site, as links are resolved against it. */
export interface LinkedSite {
  /** Without a slash at the end. */
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

/** What ends a name of a page; any other ending is that of a file, such as an image. */
const PAGE_ENDING = /\.(?:html?|php|aspx?|md|mdx|markdown)$/i;
const FILE_ENDING = /\.[a-z][a-z\d]{1,4}$/i;
/** Of files that a site is made from, and does not have. */
const SOURCE_ENDING = /\.(?:md|mdx|markdown)$/i;

/**
 * Links in published posts to addresses of the blog's posts that no post has, by address. A link within the site counts
 * where it ends like a post's slug, where its path is of the form that posts have (`/2019/05/…`, `/posts/…`), or where it
 * leads to a Markdown file. Links to other pages of the site are not looked at: nobody knows these here.
 *
 * @param isRead whether links of the post of a `source` are wanted
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
    // At the top of the site, posts stand among its other pages.
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
    // A post that names a page of another site as its address has the links of this one.
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

/** `http` and `https`, with `www.` and without, are the same site. */
function isWithin(address: URL, root: URL): boolean {
  const bare = ({ host }: URL): string => host.replace(/^www\./, '');
  return bare(address) === bare(root) && `${address.pathname}/`.startsWith(root.pathname);
}

/** One text for all ways to write the address of a page: `/a/`, `/a`, `/a.html`, `/a/index.html`. */
function nameOf({ pathname }: URL): string {
  return decodePercent(pathname)
    .replace(/\/index\.html?$/i, '')
    .replace(/\.html?$/i, '')
    .replace(/\/+$/, '');
}

/** What the folders of an address look like: `/#/#` for `/2019/05/hello/`. */
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
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'a' && href !== undefined && !href.startsWith('#')) links.push(href);
    },
  });
  parser.end(html);
  return links;
}
