import { taxonomyFrom, type Taxonomy } from '../article/taxonomy.ts';
import { field, textField } from './fields.ts';
import type { Site } from './site.ts';
import { isList, isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/**
 * The post's category and tags. `folderCategories` are Jekyll's, from the folders above `_posts`; `others` are the keys
 * of the site's own taxonomies, whose terms become tags.
 */
export function taxonomyOf(
  frontMatter: FrontMatter,
  folderCategories: readonly string[] = [],
  others: readonly string[] = [],
): Taxonomy {
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
      ...others.flatMap((key) => names(field(frontMatter, key), false)),
    ],
  );
}

/** Hugo's `[taxonomies]` and Zola's, without categories, tags, authors and series. */
export function ownTaxonomies({ generator, config }: Pick<Site, 'generator' | 'config'>): string[] {
  return taxonomiesOf({ generator, config }).filter(
    (path) => !/(?:^|\.)(?:categor(?:y|ies)|tags?|authors?|series)$/i.test(path),
  );
}

/** The site's series that contain a post: their order is more than tags can express. */
export function seriesOf(frontMatter: FrontMatter, site: Pick<Site, 'generator' | 'config'>): string[] {
  return taxonomiesOf(site)
    .filter((path) => /(?:^|\.)series$/i.test(path))
    .flatMap((path) => names(field(frontMatter, path), false))
    .filter((name) => name.trim() !== '');
}

/** The front matter keys of the site's taxonomies. */
function taxonomiesOf({ generator, config }: Pick<Site, 'generator' | 'config'>): string[] {
  const table = field(config, 'taxonomies');
  if (generator === 'hugo' && isTable(table))
    return Object.values(table).filter((name) => typeof name === 'string');
  if (generator === 'zola' && isList(table))
    return table
      .filter(isTable)
      .flatMap((entry) => textField(entry, 'name') ?? [])
      .map((name) => `taxonomies.${name}`);
  return [];
}

/**
 * Names from text, a list, or a list of tables with a name. Text in a plural field contains several: separated by
 * commas, or, as in Jekyll, by spaces.
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
