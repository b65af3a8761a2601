import { htmlToText } from '../../common/content/html-text.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import type { ImportedAuthor, ImportedPost } from '../imported-item.ts';

/** A person's name without an e-mail address next to it, which is not public. */
export function publicName(written: string): string {
  // Names that are too long are rejected later, by length.
  const text = htmlToText(written.slice(0, 2000).replace(/<[^<>\s]+@[^<>\s]+>/g, ''));
  const [, inBrackets] = /^\S+@\S+\s+\((.+)\)$/.exec(text) ?? [];
  return inBrackets ?? text.replace(/@[\w-]+\.[\w.-]+$/, '');
}

/** A person by id, or else by name; null without either. @param name as written */
export function toPerson(name: string, id = '', avatar: string | null = null): ImportedAuthor | null {
  const shown = publicName(name);
  const username = id || termSlug(shown);
  return username === '' ? null : { username, name: shown || username, avatar };
}

/** Who wrote a post, from its authors in order: each person once, by username. */
export function buildByline(
  authors: readonly (ImportedAuthor | null)[],
): Required<Pick<ImportedPost, 'author' | 'coAuthors'>> {
  const people = new Map<string, ImportedAuthor>();
  for (const one of authors) if (one !== null && !people.has(one.username)) people.set(one.username, one);
  const [author = null, ...others] = people.values();
  return { author, coAuthors: others.map(({ name }) => name) };
}
