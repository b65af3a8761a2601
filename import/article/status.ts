import { isAfter } from '../../common/content/date.ts';
import type { ImportedPost } from '../imported-item.ts';

/** The status of a public post at the moment `now`. */
export function statusAt(publishedAt: string, now: Date): ImportedPost['status'] {
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}
