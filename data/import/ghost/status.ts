import { isAfter } from '../../content/date.ts';
import type { ImportedPost } from '../post.ts';
import type { MetaRow, PostRow } from './tables.ts';

/**
 * Whether Ghost shows the post to everybody. What is for members (`members`, `paid`, `tiers` and whatever
 * may come) is not, and neither is what was sent by e-mail alone, or will be.
 */
export function isPublic({ status, visibility }: PostRow, meta: MetaRow | undefined): boolean {
  const isByEmailAlone = isYes(meta?.email_only);
  return (
    /^(?:published|scheduled)$/.test(status ?? '') &&
    // Before visibility was exported, every post was public.
    (visibility === undefined || visibility === 'public') &&
    !isByEmailAlone
  );
}

/** Tools write flags in any form: `1`, `"1"`, `"true"`. */
export function isYes(flag: unknown): boolean {
  if (typeof flag === 'string') return !/^(?:|0|false)$/i.test(flag.trim());
  return flag !== undefined && flag !== null && flag !== false && flag !== 0;
}

/**
 * The post's status at the moment `now`. What is not public is a draft rather than left out: a post that
 * was public at an earlier import is taken off the API by that.
 */
export function statusOf(
  row: PostRow,
  meta: MetaRow | undefined,
  publishedAt: string | null,
  now: Date,
): ImportedPost['status'] {
  if (!isPublic(row, meta) || publishedAt === null) return 'draft';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}
