import { momentIn } from '../../common/content/moment.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { parseAddress } from '../article/address.ts';
import { dateFrom, titleOr } from '../article/fields.ts';
import { buildByline, toPerson } from '../article/people.ts';
import { eachOnce } from '../article/taxonomy.ts';
import type { Hidden, ReadPost, Term } from '../imported-item.ts';
import { cleanHtml } from './cards.ts';
import { fileAddress, ownPath, withAddresses, withSite } from './links.ts';
import { type GhostPost, type GhostTag, isYes } from './rows.ts';

/** Shared by all posts of one blog. */
export interface Blog {
  /** The public site's address, without a trailing slash; null if unknown. */
  readonly site: string | null;
  /** Null means UTC. */
  readonly zone: string | null;
  /** The setting of versions before 2.0. */
  readonly permalinks?: string | undefined;
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
export function postFrom(row: GhostPost, source: string, { site, zone, permalinks }: Blog): ReadPost {
  const slug = tidySlug(row.slug ?? '') || termSlug(tidyLine(row.title ?? ''));
  if (slug === '') throw new PostUnreadable('has a name that gives no slug');
  const publishedAt = dateFrom([row.published_at, row.created_at], (date) => momentIn(zone, date));
  // A person's slug is public, as part of an address; the e-mail address is not.
  const byline = buildByline(
    row.authors.map(({ name, slug, profile_image, image }) =>
      toPerson(name ?? '', tidySlug(slug ?? ''), fileAddress(profile_image ?? image, site)),
    ),
  );
  const tags = termsFrom(row.tags);
  const place = {
    slug,
    id: row.id,
    publishedAt,
    author: byline.author?.username ?? null,
    firstTag: tags[0]?.slug ?? null,
  };
  return {
    source,
    slug,
    language: null,
    title: titleOr(row.title ?? '', '', slug),
    body: withAddresses(cleanHtml(tidyText(row.html ?? '')), site).trim(),
    description: line(row.custom_excerpt),
    cover: fileAddress(row.feature_image ?? row.image, site),
    metaTitle: line(row.meta_title),
    metaDescription: line(row.meta_description),
    category: null,
    tags,
    ...byline,
    publishedAt,
    updatedAt: momentIn(zone, row.updated_at ?? ''),
    url: parseAddress(withSite(row.canonical_url ?? '', site))?.url ?? ownPath(place, permalinks, site),
    views: null,
  };
}

/**
 * A post's tags, in order, with Ghost's own slugs: Ghost shows them at `/tag/SLUG/`. Internal tags (`#newsletter`,
 * visibility `internal`) are only for the theme, so they are left out.
 */
function termsFrom(tags: readonly GhostTag[]): Term[] {
  const shown = tags.filter(({ visibility, name }) => visibility !== 'internal' && !/^\s*#/.test(name ?? ''));
  const terms = shown.map(({ name, slug }): Term => {
    const known = tidyLine(name ?? '') || tidyLine(slug ?? '');
    return { slug: tidySlug(slug ?? '') || termSlug(known), name: known };
  });
  return eachOnce(terms.filter(({ slug }) => slug !== ''));
}

function line(text: string | null): string | null {
  return tidyLine(text ?? '') || null;
}
