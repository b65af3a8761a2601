import { textOfHtml } from '../../common/content/html-text.ts';

/** A person's name without an e-mail address next to it, which is not public. */
export function publicName(written: string): string {
  // Names that are too long are rejected later, by length.
  const text = textOfHtml(written.slice(0, 2000).replace(/<[^<>\s]+@[^<>\s]+>/g, ''));
  const [, inBrackets] = /^\S+@\S+\s+\((.+)\)$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/@[\w-]+\.[\w.-]+$/, '');
}
