import { parseDate } from '../../common/content/date.ts';
import { textField } from './fields.ts';
import type { FrontMatter } from './front-matter.ts';
import { isNoDate } from './status.ts';

const UPDATED_FIELDS = ['updated', 'lastmod', 'last_modified_at', 'modified'];

/**
 * When the post was changed last; null if it does not say.
 *
 * @param unreadable receives a date that cannot be read
 */
export function updatedOf(frontMatter: FrontMatter, unreadable: (written: string) => void): string | null {
  const dates = UPDATED_FIELDS.map((key) => textField(frontMatter, key));
  const written = dates.find((text) => text !== null && !isNoDate(text)) ?? null;
  if (written === null) return null;
  const date = parseDate(written);
  if (date === null) unreadable(written);
  return date;
}
