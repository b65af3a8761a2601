import { statusAt } from '../article/status.ts';
import type { ImportedPost } from '../imported-item.ts';
import { textOf, type Item } from './item.ts';
import { isRestricted } from './restrictions.ts';

/**
 * The post's status at the moment `now`. Only posts that WordPress shows to everybody are published. Restricted posts
 * (private, with a password), unfinished ones (pending) and unknown statuses are drafts.
 */
export function statusOf(item: Item, publishedAt: string | null, now: Date): ImportedPost['status'] {
  if (/^archived?$/.test(textOf(item, 'wp:status'))) return 'archived';
  return statusAt(isPublic(item), publishedAt, now);
}

/** Whether WordPress shows it to everybody, now or from its date on. */
export function isPublic(item: Item): boolean {
  return /^(?:publish|future)$/.test(textOf(item, 'wp:status')) && !isLocked(item);
}

/** Protected by a password, which may be only spaces, or restricted by a plug-in. */
function isLocked(item: Item): boolean {
  const password = item.fields.get('wp:post_password') ?? '';
  return !/^(?:\s*\n\s*)?$/.test(password) || isRestricted(item);
}

/** Why an item of the type `post` is not a post; null: it is one. */
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
