import { isAfter, parseDate } from '../date.ts';
import type { ImportedPost } from '../post.ts';
import { field, flagField, textField } from './fields.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Place } from './place.ts';

/**
 * The post's status at the moment `now`. What its blog does not publish is a draft; what it publishes
 * but lists nowhere is archived, since the API lists every published post. A published post whose date
 * is still to come is scheduled.
 */
export function statusOf(
  frontMatter: FrontMatter,
  place: Place,
  publishedAt: string | null,
  now: Date,
): ImportedPost['status'] {
  if (isDraft(frontMatter, place) || publishedAt === null) return 'draft';
  if (isArchived(frontMatter, now)) return 'archived';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}

/** Jekyll: `published: false` and the folder `_drafts`; Hugo, Zola: `draft`; 11ty: `permalink: false`. */
export function isDraft(frontMatter: FrontMatter, place: Place): boolean {
  return (
    flagField(frontMatter, 'draft') === true ||
    flagField(frontMatter, 'published') === false ||
    field(frontMatter, 'permalink') === false ||
    /^(?:draft|private|pending)$/i.test(textField(frontMatter, 'status') ?? '') ||
    place.folders.some((folder) => /^_?drafts$/i.test(folder))
  );
}

/**
 * Hugo's `build: {list: never}` hides a page from every list, and so does 11ty's
 * `eleventyExcludeFromCollections`. Hugo's `list: local` does not: such a post is missing on the home
 * page alone, and stands in the lists of its section.
 */
function isArchived(frontMatter: FrontMatter, now: Date): boolean {
  const expiry = parseDate(textField(frontMatter, 'expiryDate', 'unpublishDate') ?? '');
  return (
    /^archived?$/i.test(textField(frontMatter, 'status') ?? '') ||
    flagField(frontMatter, 'archived') === true ||
    flagField(frontMatter, 'unlisted') === true ||
    flagField(frontMatter, 'eleventyExcludeFromCollections') === true ||
    /^(?:never|false)$/i.test(
      String(field(frontMatter, 'build.list') ?? field(frontMatter, '_build.list')),
    ) ||
    (expiry !== null && !isAfter(expiry, now))
  );
}
