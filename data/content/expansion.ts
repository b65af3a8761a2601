import { TEXT_LIMITS } from '../../contract/text-limits.ts';
import { PostUnreadable } from './errors.ts';

/** Ten times the longest text that is published, in characters. */
const MAX_EXPANDED = 10 * TEXT_LIMITS.body;

/**
 * Counts what one text is made into: images, patterns and cards can stand in it any number of times, and one line may
 * come to more than a machine's memory.
 *
 * @throws PostUnreadable from its function, which gives back what it has counted
 */
export function expansionCounter(): (html: string) => string {
  let length = 0;
  return (html) => {
    length += html.length;
    if (length > MAX_EXPANDED)
      throw new PostUnreadable(`has a text that expands to more than ${MAX_EXPANDED} characters`);
    return html;
  };
}
