import { statusAt } from '../article/status.ts';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { NotAPost } from '../errors.ts';
import type { ImportedPost, Loss } from '../imported-item.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { titleOfHtml, titleOfText } from '../article/title.ts';
import { bodyOf } from './body.ts';
import type { PostRow } from './posts-table.ts';

/** By Substack's number of the post; the slug after it may change. */
export function sourceOf({ post_id: id }: PostRow): string {
  return `substack:${/^\d+/.exec(id)?.[0] ?? id}`;
}

/** Types that a publication shows as posts. An unknown type becomes a draft. */
const POSTS = new Set(['newsletter', 'podcast', 'thread', 'video', '']);

/**
 * Converts one row of the table, with its page, to a post.
 *
 * @param html null: the export has no page for it
 * @throws NotAPost, PostUnreadable with the reason
 */
export function postFrom(
  row: PostRow,
  html: string | null,
  source: string,
  now: Date,
): { readonly post: ImportedPost; readonly losses: readonly Loss[] } {
  const type = row.type.toLowerCase();
  if (type === 'page') throw new NotAPost('is a page, not a post');
  if (type === 'adhoc_email') throw new NotAPost('was sent by e-mail alone');
  const losses: Loss[] = [];
  const lost = (what: string, detail: string) => void losses.push({ what, source, detail });
  const isPublic = /^true$/i.test(row.is_published) && /^everyone$/i.test(row.audience) && POSTS.has(type);
  if (html === null && isPublic) throw new PostUnreadable('has no page in the export');
  const body = bodyOf(html ?? '', row.podcast_url, lost);
  const title = titleOfHtml(row.title) || titleOfText(body);
  if (title === '') throw new PostUnreadable('has neither a title nor a text');
  const publishedAt = parseDate(row.post_date);
  if (isPublic && publishedAt === null) throw new PostUnreadable('has no date that can be read');
  const own = tidySlug(row.post_id.replace(/^\d+\.?/, ''));
  const slug = own || termSlug(title.slice(0, 200)) || row.post_id;
  const post: ImportedPost = {
    source,
    slug,
    language: null,
    title,
    body,
    description: titleOfHtml(row.subtitle) || null,
    cover: null,
    metaTitle: null,
    metaDescription: null,
    category: null,
    tags: [],
    author: null,
    status: statusAt(isPublic, publishedAt, now),
    publishedAt,
    url: own === '' ? null : `/p/${own}`,
    views: null,
  };
  return { post, losses };
}
