import { PostUnreadable } from '../../common/content/errors.ts';
import { NotAPost } from '../errors.ts';
import type { ImportedItem } from '../imported-item.ts';
import { reasonOf } from '../../common/thrown.ts';

/** Why a post cannot be read. Any error is a reason to skip the post: it must not stop the import of the others. */
export function whyUnread(error: unknown): string {
  return error instanceof PostUnreadable ? error.message : `cannot be read (${reasonOf(error)})`;
}

/**
 * The item for a post that cannot be read, which stays as it was imported, or that turns out to be no post.
 *
 * @param label as `source` in Skipped
 */
export function unreadPost(error: unknown, source: string, label = source): ImportedItem {
  const skipped = { source: label, reason: whyUnread(error) };
  return error instanceof NotAPost
    ? { kind: 'skipped', skipped: { ...skipped, noPost: true }, ended: source }
    : { kind: 'skipped', skipped, stays: source };
}

/** The item for a part of a blog that cannot be read: the posts of `stays`, by default any, may be in it. */
export function unreadPart(source: string, reason: string, stays = ''): ImportedItem {
  return { kind: 'skipped', skipped: { source, reason }, stays };
}

/** The item for something that its own blog does not show as a post. @param ended as in ImportedItem */
export function noPost(source: string, reason: string, ended?: string): ImportedItem {
  return {
    kind: 'skipped',
    skipped: { source, reason, noPost: true },
    ...(ended === undefined ? {} : { ended }),
  };
}
