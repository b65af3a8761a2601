import { textOfHtml } from '../content/text.ts';

/** A person's name without the e-mail address next to it, which is not public. */
export function publicName(written: string): string {
  // A longer name is left off by its length.
  const text = textOfHtml(written.slice(0, 2000).replace(/<[^<>\s]+@[^<>\s]+>/g, ''));
  const [, inBrackets] = /^\S+@\S+\s+\((.+)\)$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/@[\w-]+\.[\w.-]+$/, '');
}
