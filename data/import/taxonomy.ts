import type { Term } from './post.ts';
import { termsOf } from './term.ts';

export interface Taxonomy {
  readonly category: Term | null;
  readonly tags: readonly Term[];
}

/**
 * A post's category and tags, from the names of both. An article of the API has one category, a post of
 * most blogs any number: the first is the category, and the others become tags, before the post's own.
 * WordPress calls a post "Uncategorized" that was given no category; so do blogs that came from there.
 */
export function taxonomyFrom(categories: readonly string[], tags: readonly string[]): Taxonomy {
  const given = termsOf(categories).filter(({ slug }) => slug !== 'uncategorized');
  const [category = null, ...others] = given;
  return { category, tags: termsOf([...others, ...termsOf(tags)].map((term) => term.name)) };
}
