import { tagKey } from './name-table.ts';
import { TEXT_LIMITS } from './text-limits.ts';

/** A filter for lists of articles: a text parameter that names a set. */
interface Filter {
  readonly kind: 'text';
  readonly maxCharacters: number;
  /** For the description of the API. */
  readonly meaning: string;
  /** What the values of its forms are, for the description of the API. */
  readonly listed: string;
  /** Whether an article can have several values, so that it has the form `.all`. */
  readonly several?: true;
  /** The name table of its sets in the directory. */
  readonly table: string;
  /** The name table for the forms, where `table` finds something else by a set's exact value. */
  readonly exactTable?: string;
  /** The name in that table for a value of the parameter. */
  key(value: string): string;
}

/**
 * The filters of `GET /posts` (interface), one row each, with their forms `.any`, `.all` and `.not` (an addition). This table
 * determines validation, cache keys, the set to read, links to other pages, the description, and the directory's name tables. `SETS` of build/snapshot/sets.ts defines which articles are in each set.
 */
export const FILTERS = {
  category: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The slug of a category.',
    listed: 'Slugs of categories',
    table: 'in_category',
    key: (slug) => slug,
  },
  tag: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'A tag’s slug or its name. Hyphens and spaces are equivalent, and case does not matter.',
    listed: 'Slugs of tags',
    several: true,
    table: 'with_tag',
    exactTable: 'with_exact_tag',
    key: tagKey,
  },
  author: {
    kind: 'text',
    maxCharacters: TEXT_LIMITS.name,
    meaning: 'The username of an author.',
    listed: 'Usernames of authors',
    table: 'by_author',
    key: (username) => username,
  },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof FILTERS;

/** The name tables of sets. */
export type FilterTable =
  | (typeof FILTERS)[FilterName]['table']
  | Extract<(typeof FILTERS)[FilterName], { exactTable: string }>['exactTable'];

export const FILTER_NAMES: readonly FilterName[] = Object.keys(FILTERS).filter(isFilterName);

/** The name tables of a filter's sets. */
export function filterTables(name: FilterName): readonly FilterTable[] {
  const row = FILTERS[name];
  return 'exactTable' in row ? [row.table, row.exactTable] : [row.table];
}

/** What a filter's forms ask of an article: to have one of the values, all of them, or none. */
export type Form = 'any' | 'all' | 'not';

/** The parameters of forms. */
export type ListName = {
  [Name in FilterName]: `${Name}.${(typeof FILTERS)[Name] extends { several: true } ? Form : 'any' | 'not'}`;
}[FilterName];

/** The values of a form: exact slugs or usernames, separated by commas. Empty values are ignored. */
export interface ListRule {
  readonly kind: 'list';
  readonly filter: FilterName;
  readonly form: Form;
  /** Of each value. */
  readonly maxCharacters: number;
  readonly meaning: string;
}

const FORMS: Readonly<Record<Form, string>> = {
  any: 'Articles with at least one of them',
  all: 'Articles with all of them',
  not: 'Articles with none of them',
};

/** The most values in a request, of all forms together. */
export const MAX_LISTED = 10;

/** The forms of all filters, by their parameters. */
export const LISTS = Object.fromEntries(
  FILTER_NAMES.flatMap((filter) => {
    const { maxCharacters, listed, ...row } = FILTERS[filter];
    const forms: readonly Form[] = 'several' in row ? ['any', 'all', 'not'] : ['any', 'not'];
    return forms.map((form) => {
      const meaning = `${listed}, separated by commas. ${FORMS[form]}.`;
      return [`${filter}.${form}`, { kind: 'list', filter, form, maxCharacters, meaning } satisfies ListRule];
    });
  }),
) as Readonly<Record<ListName, ListRule>>; // Each filter has its forms.

function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}

export const LIST_NAMES: readonly ListName[] = Object.keys(LISTS).filter(isListName);

function isListName(name: string): name is ListName {
  return Object.hasOwn(LISTS, name);
}
