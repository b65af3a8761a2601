import type { ImportedAuthor, ImportedPost } from '../imported-item.ts';

/** Who wrote a post, from its authors in order: each person once, by username. */
export function bylineOf(
  authors: readonly (ImportedAuthor | null)[],
): Required<Pick<ImportedPost, 'author' | 'coAuthors'>> {
  const people = new Map<string, ImportedAuthor>();
  for (const one of authors) if (one !== null && !people.has(one.username)) people.set(one.username, one);
  const [author = null, ...others] = people.values();
  return { author, coAuthors: others.map(({ name }) => name) };
}
