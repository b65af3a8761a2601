import { uniqueIds } from '../../content/unique-ids.ts';

/**
 * Gives headings the ids that Ghost gives them, so that links to them within an article lead there: the
 * words in lower case with hyphens; `-1`, `-2` tell equal ones apart.
 */
export function headingIds(): (text: string) => string {
  const idOf = uniqueIds();
  return (text) =>
    idOf(
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, ''),
    );
}
