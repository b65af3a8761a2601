import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyLine } from '../../common/content/text.ts';
import type { Address } from '../article/address.ts';
import { textField } from '../front-matter/fields.ts';
import type { FrontMatter } from '../front-matter/front-matter.ts';
import { dateOfFolders, type Place } from './place.ts';
import { isNoDate } from '../front-matter/status.ts';

const DATE_FIELDS = ['publishDate', 'pubDate', 'date', 'created'];

/**
 * The date of a post: from its front matter, the file's or bundle's name, or the path on the site; null without any.
 * Without a time zone it is in UTC.
 *
 * @throws PostUnreadable if it is invalid
 */
export function dateIn(frontMatter: FrontMatter, place: Place, address: Address | null): string | null {
  const written =
    DATE_FIELDS.map((key) => textField(frontMatter, key)).find((text) => text !== null && !isNoDate(text)) ??
    place.date ??
    dateOfFolders(address?.url.split('/') ?? []);
  if (written === null) return null;
  const date = parseDate(written);
  if (date === null) throw new PostUnreadable(`has a date that cannot be read: "${tidyLine(written)}"`);
  return date;
}
