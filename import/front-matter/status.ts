import type { Hidden } from '../imported-item.ts';
import { field, findValues, formatValue, isBlankValue, parseFlag } from './fields.ts';
import { isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * Why a post is not public, whatever its dates; null: it may be. If in doubt it is hidden: `draft: maybe` is not
 * `draft: false`. `folders` are the parents of its file.
 */
export function hiddenReason(frontMatter: FrontMatter, folders: readonly string[]): Hidden['reason'] | null {
  const some = (keys: readonly string[], is: (value: FrontValue) => boolean): boolean =>
    keys.some((key) => findValues(frontMatter, key).some(is));
  const hasStatus = (words: RegExp): boolean =>
    some(['status', 'state'], (value) => words.test(formatValue(value)));
  if (
    some(['draft', 'isdraft'], (value) => parseFlag(value) !== false) ||
    some(['published', 'publish', 'public'], (value) => parseFlag(value) === false) ||
    some(['unpublished'], isSet) ||
    some(['permalink'], (value) => value === false) ||
    some(['status', 'state'], isTable) ||
    some(['type'], (value) => /^drafts?$/i.test(formatValue(value))) ||
    hasStatus(/^(?:(?:auto-?)?drafts?|pending|unpublished|(?:in[-_ ])?review|wip)$/i) ||
    folders.some((folder) => /^_?drafts?$/i.test(folder))
  )
    return 'draft';
  if (some(['password', 'postpassword', 'encrypted'], isSet)) return 'password';
  if (some(['private'], isSet) || hasStatus(/^(?:private|hidden|internal)$/i)) return 'private';
  if (hasStatus(/^(?:trash(?:ed)?|deleted)$/i)) return 'trashed';
  if (
    some(['archived', 'unlisted', 'hidden'], (value) => parseFlag(value) === true) ||
    some(['visibility'], (value) => value === 'unlisted') ||
    hasStatus(/^archived?$/i) ||
    isUnrendered(frontMatter)
  )
    return 'archived';
  const isForMembers =
    some(['membersonly'], isSet) ||
    some(['visibility'], (value) => !isTable(value) && value !== true && !VISIBLE.test(formatValue(value)));
  return isForMembers ? 'members' : null;
}

/** Values of `visibility` that mean public; all others mean not public. */
const VISIBLE = /^(?:public|published|everyone|everybody|all|visible|listed|open)?$/i;

function isSet(value: FrontValue): boolean {
  return !isBlankValue(value) && parseFlag(value) !== false;
}

/**
 * Hugo's `build: {list: never}`, `build: {render: never}` and `headless: true`. With `list: local` a post is only missing
 * on the home page, and is in the lists of its section.
 */
function isUnrendered(frontMatter: FrontMatter): boolean {
  const isNever = (key: string): boolean =>
    ['build', '_build'].some((build) =>
      /^(?:never|false|link)$/i.test(formatValue(field(frontMatter, `${build}.${key}`))),
    );
  return isNever('list') || isNever('render') || parseFlag(field(frontMatter, 'headless')) === true;
}
