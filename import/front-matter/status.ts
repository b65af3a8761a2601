import { isAfter, parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import type { ImportedPost } from '../imported-item.ts';
import { tidyLine } from '../../common/content/text.ts';
import { field, flagOf, valuesOf, wordsOf } from './fields.ts';
import { isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * The post's status at the moment `now`. A post that its blog does not publish is a draft; one that is published but in
 * no list is archived, since the API lists every published post. A published post with a future date is scheduled.
 * `folders` are the parents of its file.
 *
 * @throws PostUnreadable if its expiry cannot be read
 */
export function statusOf(
  frontMatter: FrontMatter,
  folders: readonly string[],
  publishedAt: string | null,
  now: Date,
): ImportedPost['status'] {
  if (isDraft(frontMatter, folders) || publishedAt === null) return 'draft';
  if (isArchived(frontMatter, now)) return 'archived';
  return isAfter(publishedAt, now) ? 'scheduled' : 'published';
}

/** Values of `status` for posts that are not public, or not yet. */
const HIDDEN_STATUS =
  /^(?:(?:auto-?)?drafts?|private|pending|hidden|unpublished|trash(?:ed)?|deleted|inherit|sent|internal|protected|password|members?(?:[-_ ]only)?|paid|tiers|wip|(?:in[-_ ])?review|rejected)$/i;

/** Values of `visibility` that mean public; all others mean not public. */
const VISIBLE = /^(?:public|published|everyone|everybody|all|visible|listed|open|unlisted)?$/i;

/** A text or a yes in one of these keys locks a post. */
const LOCKS = ['password', 'postpassword', 'private', 'membersonly', 'encrypted', 'unpublished'];

/**
 * Whether a blog keeps the post private. Jekyll: `published: false` and the folder `_drafts`; Hugo, Zola: `draft`;
 * 11ty: `permalink: false`; and the equivalents of others. If in doubt it is a draft: `draft: maybe` is not `draft:
 * false`.
 */
export function isDraft(frontMatter: FrontMatter, folders: readonly string[]): boolean {
  return (
    ['draft', 'isdraft'].some((key) => valuesOf(frontMatter, key).some((value) => flagOf(value) !== false)) ||
    ['published', 'publish', 'public'].some((key) =>
      valuesOf(frontMatter, key).some((value) => flagOf(value) === false),
    ) ||
    valuesOf(frontMatter, 'permalink').some((value) => value === false) ||
    ['status', 'state'].some((key) =>
      valuesOf(frontMatter, key).some((value) => isTable(value) || HIDDEN_STATUS.test(wordsOf(value))),
    ) ||
    valuesOf(frontMatter, 'type').some((value) => /^drafts?$/i.test(wordsOf(value))) ||
    valuesOf(frontMatter, 'visibility').some((value) => !isTable(value) && !VISIBLE.test(wordOf(value))) ||
    LOCKS.some((key) =>
      valuesOf(frontMatter, key).some((value) => !isEmpty(value) && flagOf(value) !== false),
    ) ||
    folders.some((folder) => /^_?drafts?$/i.test(folder))
  );
}

function isEmpty(value: FrontValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function wordOf(value: FrontValue): string {
  return value === true ? '' : wordsOf(value);
}

/**
 * Hugo's `build: {list: never}` hides a page from every list, and so does 11ty's `eleventyExcludeFromCollections`.
 * Hugo's `list: local` does not: such a post is only missing on the home page, and is in the lists of its section.
 *
 * @throws PostUnreadable if its expiry cannot be read
 */
function isArchived(frontMatter: FrontMatter, now: Date): boolean {
  return (
    valuesOf(frontMatter, 'status').some((value) => /^archived?$/i.test(wordsOf(value))) ||
    HIDING.some((key) => valuesOf(frontMatter, key).some((value) => flagOf(value) === true)) ||
    valuesOf(frontMatter, 'visibility').some((value) => value === 'unlisted') ||
    /^(?:never|false)$/i.test(
      wordsOf(field(frontMatter, 'build.list') ?? field(frontMatter, '_build.list')),
    ) ||
    hasExpired(expiryOf(frontMatter), now)
  );
}

const HIDING = ['archived', 'unlisted', 'hidden', 'eleventyexcludefromcollections'];

function hasExpired(expiry: string | null, now: Date): boolean {
  return expiry !== null && !isAfter(expiry, now);
}

/**
 * When the post stops being public, as `parseDate` returns it; null: never.
 *
 * @throws PostUnreadable if it cannot be read
 */
export function expiryOf(frontMatter: FrontMatter): string | null {
  const dates = ['expirydate', 'unpublishdate', 'expires', 'expiry', 'unpublish']
    .flatMap((key) => valuesOf(frontMatter, key))
    .filter((value) => !isEmpty(value) && !isNoDate(wordsOf(value)))
    .map((value) => expiryIn(wordsOf(value)));
  return dates.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

function expiryIn(written: string): string {
  const expiry = parseDate(written);
  if (expiry === null) {
    throw new PostUnreadable(`has an expiry date that cannot be read: "${tidyLine(written).slice(0, 100)}"`);
  }
  return expiry;
}

/** `published: true` is a flag, and Hugo writes year 1 for a missing date. */
export function isNoDate(written: string): boolean {
  return /^(?:true|false|yes|no|never|0001-01-01.*)$/i.test(written);
}
