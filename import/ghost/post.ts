import { parseAddress } from '../article/address.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import type { ImportedPost } from '../imported-item.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { bodyOf } from './body.ts';
import { fileAddress, ownPath, withSite } from './links.ts';
import { momentIn } from '../../common/content/moment.ts';
import { authorsOf, tagsOf } from './people.ts';
import { statusAt } from '../article/status.ts';
import { isPublic, isYes } from './status.ts';
import type { PostRow, Tables } from './tables.ts';

/** Shared by all posts of one export. */
export interface Blog {
  readonly tables: Tables;
  /** The public site's address, without a trailing slash; null if unknown. */
  readonly site: string | null;
  /** Null means UTC. */
  readonly zone: string | null;
  readonly now: Date;
}

export interface ReadPost {
  readonly post: ImportedPost;
  /** References that the export does not contain, and their effect. */
  readonly faults: readonly string[];
  /** Kinds of parts that cannot be rendered, once for each occurrence. */
  readonly lost: readonly string[];
}

/** Why a row is not a post; null: it is one. */
export function whyNoPost({ page, type, title, slug }: PostRow): string | null {
  if (type === 'page' || isYes(page)) return 'is a page';
  if (type !== null && type !== 'post') return `is of the type "${tidyLine(type)}", not a post`;
  if (tidyLine(title ?? '') === '' && tidyLine(slug ?? '') === '') return 'has neither a title nor a slug';
  return null;
}

/** Converts one row to a post. @throws PostUnreadable with the reason */
export function postFrom(row: PostRow, source: string, { tables, site, zone, now }: Blog): ReadPost {
  const faults: string[] = [];
  const lost: string[] = [];
  const slug = slugOf(row);
  const meta = tables.metaOf.get(row.id ?? '');
  const publishedAt = dateOf(row, isPublic(row, meta), zone);
  const byline = authorsOf(row, tables, site, faults);
  const tags = tagsOf(row, tables, faults);
  const place = {
    slug,
    publishedAt,
    author: byline.author?.username ?? null,
    firstTag: tags[0]?.slug ?? null,
  };
  const post: ImportedPost = {
    source,
    slug,
    language: null,
    title: titleOf(row, slug),
    body: bodyOf(row, site, (what) => void lost.push(what)),
    description: line(row.custom_excerpt),
    cover: fileAddress(row.feature_image, site) ?? fileAddress(row.image, site),
    metaTitle: line(meta?.meta_title ?? row.meta_title),
    metaDescription: line(meta?.meta_description ?? row.meta_description),
    category: null,
    tags,
    ...byline,
    // A post that is not public becomes a draft: if an earlier import published it, it leaves the API.
    status: statusAt(isPublic(row, meta), publishedAt, now),
    publishedAt,
    updatedAt: momentIn(zone, row.updated_at ?? ''),
    url:
      parseAddress(withSite(row.canonical_url ?? '', site))?.url ??
      ownPath(row, place, tables.settings.get('permalinks'), site),
    views: null,
  };
  return { post, faults, lost };
}

function slugOf({ slug, title }: PostRow): string {
  const made = tidySlug(slug ?? '') || termSlug(tidyLine(title ?? ''));
  if (made === '') throw new PostUnreadable('has a name that gives no slug');
  return made;
}

/** Ghost's titles are plain text. A post without one gets its slug as title. */
function titleOf({ title }: PostRow, slug: string): string {
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return tidyLine(title ?? '') || words.charAt(0).toUpperCase() + words.slice(1) || slug;
}

/** Unpublished posts may have no date or an unreadable one. */
function dateOf(row: PostRow, isShown: boolean, zone: string | null): string | null {
  const written = [row.published_at, isShown ? row.created_at : null].find((date) => date?.trim()) ?? null;
  const date = written === null ? null : momentIn(zone, written);
  if (date !== null || !isShown) return date;
  if (written === null) throw new PostUnreadable('is published, but has no date');
  throw new PostUnreadable(`has a date that cannot be read: "${tidyLine(written)}"`);
}

function line(text: string | null | undefined): string | null {
  return tidyLine(text ?? '') || null;
}
