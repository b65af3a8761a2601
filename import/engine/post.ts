import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { plainLine } from '../../common/content/markdown.ts';
import { parseAddress, slugAt } from '../article/address.ts';
import { textAboveMore, titleOr, withoutTitle } from '../article/fields.ts';
import { type AuthorDirectory, findAuthors } from '../front-matter/author.ts';
import { findCover, findUnplacedCover } from '../front-matter/cover.ts';
import { readExpiry, isNoDate, readUpdated } from '../front-matter/dates.ts';
import { readDescriptions } from '../front-matter/fields.ts';
import { readTaxonomy } from '../front-matter/taxonomy.ts';
import type { ReadPost } from '../imported-item.ts';
import type { RenderedPage, RenderedSite } from './page.ts';

/** Shared by all posts. */
export interface RenderedBlog {
  readonly site: RenderedSite;
  readonly authors: AuthorDirectory;
  /** All files of the site. */
  readonly paths: ReadonlySet<string>;
}

/**
 * Converts a rendered page to a post. What the engine does not say follows the rules of Markdown's reader.
 *
 * @throws PostUnreadable with the reason
 */
export function postFrom(page: RenderedPage, source: string, blog: RenderedBlog): ReadPost {
  const { site, authors } = blog;
  const { url, language, lead, frontMatter } = page;
  const body = withoutTitle(page.title, page.body);
  const publishedAt = readDate(page.date);
  if (publishedAt === null) throw new PostUnreadable('has no date');
  const slug = slugAt(parseAddress(url), page.slug, language ?? site.language);
  if (slug === '') throw new PostUnreadable('has a URL that gives no slug');
  const { description, ...meta } = readDescriptions(frontMatter, plainLine);
  return {
    source,
    slug,
    language,
    // The engine's title is text, which no theme reads as Markdown by itself.
    title: titleOr(page.title, page.body, slug),
    body,
    // The author's excerpt, marked in the engine's way or by `<!--more-->`.
    description: description ?? (htmlToText(lead || (textAboveMore(body) ?? '')) || null),
    cover: coverAt(page, blog),
    ...meta,
    ...readTaxonomy(frontMatter, site.taxonomies),
    ...findAuthors(frontMatter, authors, site.author),
    publishedAt,
    expiresAt: readDate(page.expires) ?? readExpiry(frontMatter),
    updatedAt: readDate(page.updated || null) ?? readUpdated(frontMatter),
    url,
    views: null,
  };
}

function readDate(written: string | null): string | null {
  return written === null || isNoDate(written) ? null : parseDate(written);
}

/** As on the page. A bare name is that of a file at the root of the site, if it is there. */
function coverAt(
  { url, frontMatter, files }: RenderedPage,
  { site: { base, url: home }, paths }: RenderedBlog,
): string | null {
  const { pathname } = new URL(url, 'https://blog.example');
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  const named = findCover(frontMatter, files.length > 0 ? folder : null, (name) => files.includes(name));
  const bare = findUnplacedCover(frontMatter, named);
  const root = (URL.parse(home ?? '')?.pathname ?? '').replace(/\/$/, '');
  const found = bare !== null && (paths.has(bare) || paths.has(`static/${bare}`)) ? `${root}/${bare}` : named;
  const cover = found?.startsWith('/') && !found.startsWith(`${base}/`) ? base + found : found;
  return cover === null || !URL.canParse(url) ? cover : new URL(cover, url).href;
}
