import { type PostTerms, taxonomyFrom } from '../article/taxonomy.ts';
import { field, textField } from './fields.ts';
import { isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * The post's category and tags. `taxonomies` are the keys of the site's own taxonomies, as its engine names them; their
 * terms become tags.
 */
export function readTaxonomy(frontMatter: FrontMatter, taxonomies: readonly string[] = []): PostTerms {
  const others = taxonomies.filter((key) => !KNOWN.test(key));
  return taxonomyFrom(
    [...names(field(frontMatter, 'category'), false), ...names(field(frontMatter, 'categories'), true)],
    [
      ...names(field(frontMatter, 'tag'), false),
      ...names(field(frontMatter, 'tags'), true),
      ...names(field(frontMatter, 'taxonomies.tags'), true),
      ...others.flatMap((key) => names(field(frontMatter, key), false)),
    ],
  );
}

/** Taxonomies with a field of their own. */
const KNOWN = /^(?:categor(?:y|ies)|tags?|authors?|series)$/i;

/** The series that contain a post, of the site's own taxonomies: their order is more than tags can express. */
export function readSeries(frontMatter: FrontMatter, taxonomies: readonly string[]): string[] {
  return taxonomies
    .filter((key) => /^series$/i.test(key))
    .flatMap((key) => names(field(frontMatter, key), false))
    .filter((name) => name.trim() !== '');
}

/**
 * Names from text, a list, or a list of tables with a name. Text in a plural field contains several: separated by
 * commas, or, as in Jekyll, by spaces.
 */
function names(value: FrontValue | undefined, isPlural: boolean): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value === 'string') {
    if (!isPlural) return [value];
    return value.split(value.includes(',') ? ',' : /\s+/);
  }
  if (isTable(value)) return names(textField(value, 'name', 'title', 'label', 'slug'), false);
  return value.flatMap((item) => names(item, false));
}
