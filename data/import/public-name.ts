import { textOfHtml } from './text.ts';

/** A person's name without the e-mail address that stands beside it, which is not for the public. */
export function publicName(written: string): string {
  const text = textOfHtml(written.replace(/<[^<>\s]+@[^<>\s]+>/g, ''));
  const [, inBrackets] = /^\S+@\S+\s+\((.+)\)$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/@[\w-]+\.[\w.-]+$/, '');
}
