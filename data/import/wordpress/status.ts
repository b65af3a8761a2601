import { isAfter } from '../../content/date.ts';
import type { ImportedPost } from '../post.ts';
import { textOf, type Item } from './item.ts';
import { isRestricted } from './restrictions.ts';

/**
 * The post's status at the moment `now`. Only what WordPress shows to everybody is published: what it
 * shows to some (private, behind a password) or not yet (pending), and what it does not explain, is a
 * draft.
 */
export function statusOf(item: Item, publishedAt: string | null, now: Date): ImportedPost['status'] {
  const status = textOf(item, 'wp:status');
  if (/^archived?$/.test(status)) return 'archived';
  if (!/^(?:publish|future)$/.test(status) || isLocked(item) || publishedAt === null) return 'draft';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}

/** Whether WordPress shows it to everybody, now or when its time comes. */
export function isPublic(item: Item): boolean {
  return /^(?:publish|future)$/.test(textOf(item, 'wp:status')) && !isLocked(item);
}

/** Behind a password, which may be of spaces alone, or kept for some by a plug-in. */
function isLocked(item: Item): boolean {
  const password = item.fields.get('wp:post_password') ?? '';
  return !/^(?:\s*\n\s*)?$/.test(password) || isRestricted(item);
}

/** Why an item of the type `post` is none after all; null when it is one. */
export function whyNoPost(item: Item): string | null {
  switch (textOf(item, 'wp:status')) {
    case 'trash':
      return 'is in the trash';
    case 'auto-draft':
      return 'is an automatic draft';
    case 'inherit':
      return 'is an earlier version of a post';
    default:
      return null;
  }
}
