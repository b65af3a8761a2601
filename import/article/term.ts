import type { Term } from '../imported-item.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';

/** The terms of these names, in order, without blanks and duplicates (by slug). */
export function termsOf(names: readonly string[]): Term[] {
  const terms = new Map<string, Term>();
  for (const name of names.map(tidyLine)) {
    const slug = termSlug(name);
    if (slug !== '' && !terms.has(slug)) terms.set(slug, { slug, name });
  }
  return [...terms.values()];
}
