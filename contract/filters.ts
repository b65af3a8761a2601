import type { NameTableName } from './directory.ts';
import { tagKey } from './name-table.ts';
import type { TABLE_LEADS_TO } from './object-kinds.ts';
import { TEXT_LIMITS } from './text-limits.ts';

/** The name tables that lead to sets. */
type SetTable = {
  [Table in NameTableName]: (typeof TABLE_LEADS_TO)[Table] extends 'set' ? Table : never;
}[NameTableName];

/** What a list of articles can be narrowed by: a text parameter that names a set. */
interface Filter {
  readonly kind: 'text';
  readonly maxCharacters: number;
  /** What the parameter means, for the description. */
  readonly meaning: string;
  /** Where its sets are named. */
  readonly table: SetTable;
  /** The name in that table, from the parameter's value. */
  key(value: string): string;
}

/**
 * The filters of `GET /posts` (interface), one row each. Validation, the cache key of an answer, the set that is
 * read, links to other pages and the description all follow from this table.
 */
export const FILTERS = {
  category: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The slug of a category.',
    table: 'in_category',
    key: (slug) => slug,
  },
  tag: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'A tag’s slug or its name. Hyphens may stand for spaces, and case does not matter.',
    table: 'with_tag',
    key: tagKey,
  },
  author: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The username of an author.',
    table: 'by_author',
    key: (username) => username,
  },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof FILTERS;
