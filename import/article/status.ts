import { isAfter } from '../../common/content/date.ts';
import type { ImportedPost } from '../imported-item.ts';

/**
 * The status of a post at the moment `now`, for formats in which a post is either public or a draft.
 *
 * @param isPublic whether its blog shows it to everybody, now or from its date on
 */
export function statusAt(isPublic: boolean, publishedAt: string | null, now: Date): ImportedPost['status'] {
  if (!isPublic || publishedAt === null) return 'draft';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}
