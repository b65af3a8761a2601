import { hyphenated } from '../../common/content/term-slug.ts';
import { uniqueIds } from '../../common/content/unique-ids.ts';

/**
 * Gives headings the same ids as Ghost, so that links within an article keep working: the words in lower case with
 * hyphens; equal ids get `-1`, `-2`.
 */
export function headingIds(): (text: string) => string {
  const idOf = uniqueIds();
  return (text) => idOf(hyphenated(text.toLowerCase()));
}
