import { parseDate } from '../../common/content/date.ts';
import { dateFrom } from '../article/fields.ts';
import { findValues, formatValue, isBlankValue, textField } from './fields.ts';
import type { FrontMatter } from './front-matter.ts';

const UPDATED_FIELDS = ['updated', 'lastmod', 'last_modified_at', 'modified', 'updatedDate'];

/** The first of these fields that has a date, as written; null: none has. */
export function dateField(frontMatter: FrontMatter, keys: readonly string[]): string | null {
  return keys.map((key) => textField(frontMatter, key)).find((text) => text && !isNoDate(text)) ?? null;
}

/**
 * When the post was changed last; null if it does not say.
 *
 * @param unreadable receives a date that cannot be read
 */
export function readUpdated(frontMatter: FrontMatter, unreadable?: (written: string) => void): string | null {
  const written = dateField(frontMatter, UPDATED_FIELDS);
  const date = written && parseDate(written);
  if (written !== null && date === null) unreadable?.(written);
  return date;
}

/**
 * When the post stops being public, as `parseDate` returns it; null: never.
 *
 * @throws PostUnreadable if it cannot be read
 */
export function readExpiry(frontMatter: FrontMatter): string | null {
  const dates = ['expirydate', 'unpublishdate', 'expires']
    .flatMap((key) => findValues(frontMatter, key))
    .filter((value) => !isBlankValue(value) && !isNoDate(formatValue(value)))
    // A table has no words.
    .map((value) => dateFrom([formatValue(value) || '{}'], parseDate, 'an expiry date'));
  return dates.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

/** `published: true` is a flag, and Hugo writes year 1 for a missing date. */
export function isNoDate(written: string): boolean {
  return /^(?:true|false|yes|no|never|0001-01-01.*)$/i.test(written);
}
