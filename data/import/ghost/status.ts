import { isAfter } from '../date.ts';
import type { ImportedPost } from '../post.ts';
import type { PostRow } from './tables.ts';

/**
 * Whether Ghost shows the post to everybody. What is for members (`members`, `paid`, `tiers` and whatever
 * may come) is not, and neither is what was sent by e-mail alone.
 */
export function isPublic({ status, visibility }: PostRow): boolean {
  return /^(?:published|scheduled)$/.test(status ?? '') && /^(?:public)?$/.test(visibility ?? '');
}

/**
 * The post's status at the moment `now`. What is not public is a draft rather than left out: a post that
 * was public at an earlier import is taken off the API by that.
 */
export function statusOf(row: PostRow, publishedAt: string | null, now: Date): ImportedPost['status'] {
  if (!isPublic(row) || publishedAt === null) return 'draft';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}
