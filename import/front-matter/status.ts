import { isAfter, parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import type { Hidden } from '../imported-item.ts';
import { tidyLine } from '../../common/content/text.ts';
import { field, flagOf, valuesOf, wordsOf } from './fields.ts';
import { isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * Why a post is not public at the moment `now`; null: it is, or will be at its date. If in doubt it is hidden:
 * `draft: maybe` is not `draft: false`. `folders` are the parents of its file.
 *
 * @throws PostUnreadable if its expiry cannot be read
 */
export function hiddenReason(
  frontMatter: FrontMatter,
  folders: readonly string[],
  now: Date,
): Hidden['reason'] | null {
  const some = (keys: readonly string[], is: (value: FrontValue) => boolean): boolean =>
    keys.some((key) => valuesOf(frontMatter, key).some(is));
  const hasStatus = (words: RegExp): boolean =>
    some(['status', 'state'], (value) => words.test(wordsOf(value)));
  if (
    some(['draft', 'isdraft'], (value) => flagOf(value) !== false) ||
    some(['published', 'publish', 'public'], (value) => flagOf(value) === false) ||
    some(['unpublished'], isSet) ||
    some(['permalink'], (value) => value === false) ||
    some(['status', 'state'], isTable) ||
    some(['type'], (value) => /^drafts?$/i.test(wordsOf(value))) ||
    hasStatus(/^(?:(?:auto-?)?drafts?|pending|unpublished|(?:in[-_ ])?review|wip)$/i) ||
    folders.some((folder) => /^_?drafts?$/i.test(folder))
  )
    return 'draft';
  if (some(['password', 'postpassword', 'encrypted'], isSet)) return 'password';
  if (some(['private'], isSet) || hasStatus(/^(?:private|hidden|internal)$/i)) return 'private';
  if (hasStatus(/^(?:trash(?:ed)?|deleted)$/i)) return 'trashed';
  if (
    some(['archived', 'unlisted', 'hidden'], (value) => flagOf(value) === true) ||
    some(['visibility'], (value) => value === 'unlisted') ||
    hasStatus(/^archived?$/i) ||
    isUnrendered(frontMatter)
  )
    return 'archived';
  if (
    some(['membersonly'], isSet) ||
    some(['visibility'], (value) => !isTable(value) && value !== true && !VISIBLE.test(wordsOf(value)))
  )
    return 'members';
  const expiry = expiryOf(frontMatter);
  return expiry !== null && !isAfter(expiry, now) ? 'expired' : null;
}

/** Values of `visibility` that mean public; all others mean not public. */
const VISIBLE = /^(?:public|published|everyone|everybody|all|visible|listed|open)?$/i;

function isSet(value: FrontValue): boolean {
  return !isEmpty(value) && flagOf(value) !== false;
}

function isEmpty(value: FrontValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Hugo's `build: {list: never}`, `build: {render: never}` and `headless: true`. With `list: local` a post is only missing
 * on the home page, and is in the lists of its section.
 */
function isUnrendered(frontMatter: FrontMatter): boolean {
  const isNever = (key: string): boolean =>
    ['build', '_build'].some((build) =>
      /^(?:never|false|link)$/i.test(wordsOf(field(frontMatter, `${build}.${key}`))),
    );
  return isNever('list') || isNever('render') || flagOf(field(frontMatter, 'headless')) === true;
}

/**
 * When the post stops being public, as `parseDate` returns it; null: never.
 *
 * @throws PostUnreadable if it cannot be read
 */
export function expiryOf(frontMatter: FrontMatter): string | null {
  const dates = ['expirydate', 'unpublishdate', 'expires']
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
