import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { localOffsetIn } from '../../common/content/moment.ts';
import { tidyLine } from '../../common/content/text.ts';
import type { Address } from '../article/address.ts';
import { textField } from './fields.ts';
import type { FrontMatter } from './front-matter.ts';
import { dateOfFolders, type Place } from './place.ts';
import type { Site } from './site.ts';
import { isNoDate } from './status.ts';

const DATE_FIELDS = [
  'publishDate',
  'pubDate',
  'pubDatetime',
  'published_at',
  'published_on',
  'date',
  'published',
  'created',
  'created_at',
];

/**
 * The date of a post: from its front matter, the file's or bundle's name, or the path on the site; null without any.
 *
 * @param source the front matter as written
 * @throws PostUnreadable if it is invalid
 */
export function dateIn(
  source: string,
  frontMatter: FrontMatter,
  place: Place,
  address: Address | null,
  { generator, zone }: Site,
): string | null {
  const fields = (keys: readonly string[]): string | undefined =>
    keys
      .map((key) => textField(frontMatter, key))
      .filter((date) => date !== null)
      .find((date) => !isNoDate(date));
  const written =
    // Jekyll has only one field.
    (generator === 'jekyll' ? (fields(['date']) ?? place.date) : null) ??
    fields(DATE_FIELDS) ??
    place.date ??
    dateOfFolders(address?.url.split('/') ?? []);
  if (written === null) return null;
  const isUtc = generator === 'jekyll' && isTimestamp(source);
  // Ruby ignores a second year: `2023-01-29 18:30:22 2023 -0800`.
  const text = generator === 'jekyll' ? written.replace(/(?<=:\d\d) \d{4}(?= [+-]\d{4}$)/, '') : written;
  const date = parseDate(text, localOffsetIn(isUtc ? null : zone));
  if (date === null) throw new PostUnreadable(`has a date that cannot be read: "${tidyLine(written)}"`);
  return date;
}

/** Jekyll's YAML parser reads an unquoted time without a zone as UTC, not in the site's zone. */
function isTimestamp(source: string): boolean {
  return /^date:[ \t]+\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d/m.test(source);
}
