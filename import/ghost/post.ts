import { parseAddress } from '../article/address.ts';
import { bylineOf } from '../article/byline.ts';
import { statusAt } from '../article/status.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { momentIn } from '../../common/content/moment.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import type { Hidden, ImportedPost } from '../imported-item.ts';
import { fileAddress, ownPath, withAddresses, withSite } from './links.ts';
import { authorFrom, termsFrom } from './people.ts';
import { type GhostPost, isYes } from './rows.ts';

/** Shared by all posts of one blog. */
export interface Blog {
  /** The public site's address, without a trailing slash; null if unknown. */
  readonly site: string | null;
  /** Null means UTC. */
  readonly zone: string | null;
  /** The setting of versions before 2.0. */
  readonly permalinks?: string | undefined;
  readonly now: Date;
}

/** Why a row is not a post; null: it is one. */
export function whyNoPost({ page, type, title, slug }: GhostPost): string | null {
  if (type === 'page' || isYes(page)) return 'is a page';
  if (type !== null && type !== 'post') return `is of the type "${tidyLine(type)}", not a post`;
  if (tidyLine(title ?? '') === '' && tidyLine(slug ?? '') === '') return 'has neither a title nor a slug';
  return null;
}

/**
 * Why Ghost does not show the post to everybody; null: it does. Posts for members (`members`, `paid`, `tiers` and future
 * values) are not public, nor are posts that are only sent by e-mail.
 */
export function whyHidden({ status, visibility, email_only }: GhostPost): Hidden['reason'] | null {
  if (status === 'sent') return 'members';
  if (status !== 'published' && status !== 'scheduled') return 'draft';
  const isForAll = visibility === undefined || visibility === 'public';
  return isForAll && !isYes(email_only) ? null : 'members';
}

/** Converts a post that Ghost shows to everybody. @throws PostUnreadable with the reason */
export function postFrom(
  row: GhostPost,
  source: string,
  { site, zone, permalinks, now }: Blog,
): ImportedPost {
  const slug = slugOf(row);
  const publishedAt = dateOf(row, zone);
  const byline = bylineOf(row.authors.map((person) => authorFrom(person, site)));
  const tags = termsFrom(row.tags);
  const place = {
    ...{ slug, id: row.id, publishedAt },
    author: byline.author?.username ?? null,
    firstTag: tags[0]?.slug ?? null,
  };
  return {
    source,
    slug,
    language: null,
    title: titleOf(row, slug),
    body: withAddresses(cleanHtml(tidyText(row.html ?? '')), site).trim(),
    description: line(row.custom_excerpt),
    cover: fileAddress(row.feature_image ?? row.image, site),
    metaTitle: line(row.meta_title),
    metaDescription: line(row.meta_description),
    category: null,
    tags,
    ...byline,
    status: statusAt(publishedAt, now),
    publishedAt,
    updatedAt: momentIn(zone, row.updated_at ?? ''),
    url: parseAddress(withSite(row.canonical_url ?? '', site))?.url ?? ownPath(place, permalinks, site),
    views: null,
  };
}

function slugOf({ slug, title }: GhostPost): string {
  const made = tidySlug(slug ?? '') || termSlug(tidyLine(title ?? ''));
  if (made === '') throw new PostUnreadable('has a name that gives no slug');
  return made;
}

/** Ghost's titles are plain text. A post without one gets its slug as title. */
function titleOf({ title }: GhostPost, slug: string): string {
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return tidyLine(title ?? '') || words.charAt(0).toUpperCase() + words.slice(1) || slug;
}

function dateOf({ published_at, created_at }: GhostPost, zone: string | null): string {
  const written = [published_at, created_at].find((date) => date?.trim());
  if (!written) throw new PostUnreadable('is published, but has no date');
  const date = momentIn(zone, written);
  if (date === null) throw new PostUnreadable(`has a date that cannot be read: "${tidyLine(written)}"`);
  return date;
}

function line(text: string | null): string | null {
  return tidyLine(text ?? '') || null;
}
