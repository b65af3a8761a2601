import { taxonomyFrom, type Taxonomy } from '../taxonomy.ts';
import { field, textField } from './fields.ts';
import { isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * The post's category and tags. `folderCategories` are those that Jekyll takes from the folders above
 * `_posts`.
 */
export function taxonomyOf(frontMatter: FrontMatter, folderCategories: readonly string[] = []): Taxonomy {
  return taxonomyFrom(
    [
      ...names(field(frontMatter, 'category'), false),
      ...names(field(frontMatter, 'categories'), true),
      ...names(field(frontMatter, 'taxonomies.categories'), true),
      ...folderCategories,
    ],
    [
      ...names(field(frontMatter, 'tag'), false),
      ...names(field(frontMatter, 'tags'), true),
      ...names(field(frontMatter, 'taxonomies.tags'), true),
    ],
  );
}

/**
 * Names from text, a list, or a list of tables with a name. Text in a plural field holds several:
 * between commas, or, as in Jekyll, between spaces.
 */
function names(value: FrontValue | undefined, plural: boolean): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value === 'string') {
    if (!plural) return [value];
    return value.split(value.includes(',') ? ',' : /\s+/);
  }
  if (isTable(value)) return names(textField(value, 'name', 'title', 'slug'), false);
  return value.flatMap((item) => names(item, false));
}
