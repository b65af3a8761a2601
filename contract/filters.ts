import type { Summary } from './api.ts';
import { tagKey } from './name-table.ts';
import { TEXT_LIMITS } from './text-limits.ts';

/** A filter for lists of articles: a text parameter that names a set. */
interface Filter {
  readonly kind: 'text';
  readonly maxCharacters: number;
  /** For the description of the API. */
  readonly meaning: string;
  /** The name table of its sets in the directory. */
  readonly table: string;
  /** The name in that table for a value of the parameter. */
  key(value: string): string;
  /** Values that must find an article. Others may too, such as a tag's slug, which its summary does not show. */
  valuesOf(summary: Summary): readonly string[];
}

/**
 * The filters of `GET /posts` (interface), one row each. This table determines validation, cache keys, the set to read,
 * links to other pages, the description, and the directory's name tables with their verification. `SETS` of
 * build/snapshot/sets.ts defines which articles are in each set.
 */
export const FILTERS = {
  category: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The slug of a category.',
    table: 'in_category',
    key: (slug) => slug,
    valuesOf: ({ category }) => (category ? [category.slug] : []),
  },
  tag: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'A tag’s slug or its name. Hyphens may stand for spaces, and case does not matter.',
    table: 'with_tag',
    key: tagKey,
    valuesOf: ({ tags }) => tags,
  },
  author: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The username of an author.',
    table: 'by_author',
    key: (username) => username,
    valuesOf: ({ author }) => (author ? [author.username] : []),
  },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof FILTERS;

/** The name tables of sets. */
export type FilterTable = (typeof FILTERS)[FilterName]['table'];

export const FILTER_NAMES: readonly FilterName[] = Object.keys(FILTERS).filter(isFilterName);

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}
