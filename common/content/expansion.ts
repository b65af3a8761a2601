import { TEXT_LIMITS } from '../../contract/text-limits.ts';
import { PostUnreadable } from './errors.ts';

/** Four times the longest text that is published, in characters. */
const MAX_EXPANDED = 4 * TEXT_LIMITS.body;

/**
 * Counts the expanded size of one text: images, patterns and cards can repeat any number of times, so one line may
 * expand to more than a machine's memory.
 *
 * @throws PostUnreadable from the returned function, which returns its argument
 */
export function expansionCounter(): (html: string) => string {
  let length = 0;
  return (html) => {
    length += html.length;
    if (length > MAX_EXPANDED)
      throw new PostUnreadable(`has text that expands to more than ${MAX_EXPANDED} characters`);
    return html;
  };
}
