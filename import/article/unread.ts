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
 * @param title of the post, for those whose label does not say it
 */
export function unreadPost(error: unknown, source: string, label = source, title = ''): ImportedItem {
  const reason = title === '' ? whyUnread(error) : `${whyUnread(error)} ("${title}")`;
  const skipped = { source: kept(label), reason: kept(reason) };
  return error instanceof NotAPost
    ? { kind: 'skipped', skipped: { ...skipped, noPost: true }, ended: source }
    : { kind: 'skipped', skipped, stays: source };
}

/** The item for a part of a blog that cannot be read: the posts of `stays`, by default any, may be in it. */
export function unreadPart(source: string, reason: string, stays = ''): ImportedItem {
  return { kind: 'skipped', skipped: { source: kept(source), reason: kept(reason) }, stays };
}

/** The item for something that its own blog does not show as a post. @param ended as in ImportedItem */
export function noPost(source: string, reason: string, ended?: string): ImportedItem {
  return {
    kind: 'skipped',
    skipped: { source: kept(source), reason: kept(reason), noPost: true },
    ...(ended === undefined ? {} : { ended }),
  };
}

/** A copy, since a substring keeps the whole text that it is from in memory. */
function kept(text: string): string {
  return Buffer.from(text).toString();
}
