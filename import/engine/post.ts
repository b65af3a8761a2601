import { isAfter, parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { plainLine } from '../../common/content/markdown.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { firstHeading, tidyLine } from '../../common/content/text.ts';
import { parseAddress } from '../article/address.ts';
import { authorsOf, type AuthorDirectory } from '../front-matter/author.ts';
import { coverOf } from '../front-matter/cover.ts';
import { descriptionsOf } from '../front-matter/fields.ts';
import { expiryOf, isNoDate, statusOf } from '../front-matter/status.ts';
import { updatedOf } from '../front-matter/updated.ts';
import { taxonomyOf } from '../front-matter/taxonomy.ts';
import { type ImportedPost, isPublished } from '../imported-item.ts';
import { tidySlug } from '../../common/content/slug.ts';
import type { RenderedPage, RenderedSite } from './page.ts';

/** Shared by all posts. */
export interface RenderedBlog {
  readonly site: RenderedSite;
  readonly authors: AuthorDirectory;
  readonly now: Date;
}

/**
 * Converts a rendered page to a post. What the engine does not say follows the rules of Markdown's reader.
 *
 * @param isPublic whether the engine publishes it now
 * @throws PostUnreadable with the reason
 */
export async function postFrom(
  page: RenderedPage,
  isPublic: boolean,
  { site, authors, now }: RenderedBlog,
): Promise<ImportedPost> {
  const { source, url, language, lead, frontMatter } = page;
  if (page.fault !== null) throw new PostUnreadable(page.fault);
  const publishedAt = dateOf(page.date);
  const status = renderedStatus(page, isPublic, publishedAt, now);
  if (publishedAt === null && status !== 'draft') throw new PostUnreadable('has no date');
  const body = await page.body();
  const slug = slugOf(page);
  const { description, ...meta } = descriptionsOf(frontMatter, plainLine);
  return {
    source,
    slug,
    language,
    title: titleOf(page.title, body, slug),
    body,
    description: description ?? leadOf(lead, body),
    cover: coverAt(page, site),
    ...meta,
    ...taxonomyOf(frontMatter, site.taxonomies),
    ...authorsOf(frontMatter, authors, site.author),
    status,
    publishedAt,
    expiresAt: isPublished(status) ? (dateOf(page.expires) ?? expiryOf(frontMatter)) : null,
    updatedAt: dateOf(page.updated || null) ?? updatedOf(frontMatter, () => undefined),
    url,
    views: null,
  };
}

/** The engine's decision about the page comes first, then front matter that other tools read. */
export function renderedStatus(
  { isDraft, isListed, expires, frontMatter }: RenderedPage,
  isPublic: boolean,
  publishedAt: string | null,
  now: Date,
): ImportedPost['status'] {
  if (isDraft) return 'draft';
  if (publishedAt === null) return isPublic ? 'published' : 'draft';
  const expiry = dateOf(expires);
  if (expiry !== null && !isAfter(expiry, now)) return 'archived';
  // Not published, for an unknown reason.
  if (!isPublic && !isAfter(publishedAt, now)) return 'draft';
  const status = statusOf(frontMatter, [], publishedAt, now);
  return status === 'draft' || isListed ? status : 'archived';
}

export function dateOf(written: string | null): string | null {
  return written === null || isNoDate(written) ? null : parseDate(written);
}

/** The author's excerpt, marked in the engine's way or by `<!--more-->`. */
function leadOf(lead: string, body: string): string | null {
  const mark = /<!--\s*more\s*-->/i.exec(body);
  const html = lead || (mark === null ? '' : body.slice(0, mark.index));
  return textOfHtml(html) || null;
}

function slugOf({ url, source }: RenderedPage): string {
  const name = source.replace(/^.*[:/]/, '').replace(/\.[^.]*$/, '');
  const slug = parseAddress(url)?.slug || tidySlug(name);
  if (slug === '') throw new PostUnreadable('has an address of which no slug can be made');
  return slug;
}

/** The engine's title is text, which no theme reads as Markdown by itself. */
function titleOf(title: string, body: string, slug: string): string {
  return tidyLine(title) || textOfHtml(firstHeading(body)) || slug.replace(/[-_]+/g, ' ').trim() || slug;
}

/** As on the page. */
function coverAt({ url, frontMatter, files }: RenderedPage, { base }: RenderedSite): string | null {
  const { pathname } = new URL(url, 'https://blog.example');
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  const found = coverOf(frontMatter, files.length > 0 ? folder : null, (name) => files.includes(name));
  const cover = found?.startsWith('/') && !found.startsWith(`${base}/`) ? base + found : found;
  return cover === null || !URL.canParse(url) ? cover : new URL(cover, url).href;
}
