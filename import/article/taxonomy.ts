import type { Term } from '../imported-item.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';

export interface PostTerms {
  readonly category: Term | null;
  readonly tags: readonly Term[];
}

/**
 * WordPress's names, by language, for the category of posts without one. Names that also have a meaning ("Allgemein",
 * "Genel") are not here.
 */
const NO_CATEGORY = new Set(
  [
    ...['Uncategorized', 'Uncategorised', 'Non classé', 'Sin categoría', 'Sem categoria', 'Sense categoria'],
    ...['Senza categoria', 'Geen categorie', 'Fără categorie', 'Okategoriserade', 'Ukategorisert'],
    ...['Ikke kategoriseret', 'Bez kategorii', 'Nezařazené', 'Nezaradené', 'Nekategorizirano'],
    ...['Без рубрики', 'Без категорії', 'Некатегоризирани', 'Некатегоризовано', 'Χωρίς κατηγορία'],
    ...['未分类', '未分類', '미분류', 'Chưa phân loại', 'Tak Berkategori', 'غير مصنف'],
  ].map(termSlug),
);

/**
 * A post's category and tags, from the names of both. An article of the API has one category, posts of most blogs have
 * any number: the first is the category, and the others become tags, before the post's own.
 */
export function taxonomyFrom(categories: readonly string[], tags: readonly string[]): PostTerms {
  const [category = null, ...others] = toTerms(categories).filter(({ slug }) => !NO_CATEGORY.has(slug));
  return { category, tags: toTerms([...others, ...toTerms(tags)].map((term) => term.name)) };
}

/** The terms of these names, in order, without blanks and duplicates (by slug). */
export function toTerms(names: readonly string[]): Term[] {
  const terms = names.map(tidyLine).map((name) => ({ slug: termSlug(name), name }));
  return eachOnce(terms.filter(({ slug }) => slug !== ''));
}

/** The first term of each slug. */
export function eachOnce(terms: readonly Term[]): Term[] {
  const slugs = new Set<string>();
  return terms.filter(({ slug }) => !slugs.has(slug) && slugs.add(slug));
}
