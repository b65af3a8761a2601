/**
 * Every parameter of the interface, said once: its name, its rule, what holds when it is absent, and
 * what it means. Requests are checked by these tables, and `/openapi.json` is written from them.
 */
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, type Sort, SORTS } from '../contract/api.ts';
import { hasControl } from '../contract/text-limits.ts';
import { MAX_QUERY_CHARACTERS, MAX_QUERY_TERMS, wordsOf } from '../contract/search-text.ts';
import { type FilterName, FILTERS } from '../contract/filters.ts';
import { ApiError, badRequest } from './api-error.ts';
import type { Query } from './query.ts';

/** A whole number; anything else is a 400. */
export interface IntegerRule {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly byDefault: number;
  readonly meaning: string;
}

/** One of a few words; anything else is a 400. */
export interface ChoiceRule<Word extends string = string> {
  readonly kind: 'choice';
  readonly choices: readonly Word[];
  readonly byDefault: Word;
  readonly meaning: string;
}

/** A text, which fails with a 422; an empty one is as if absent. */
export interface TextRule {
  readonly kind: 'text';
  readonly maxCharacters: number;
  /** How many terms, parted by white space, it may have. */
  readonly maxTerms?: number;
  readonly meaning: string;
}

export type Rule = IntegerRule | ChoiceRule | TextRule;
export type Rules = Readonly<Record<string, Rule>>;

/** The value that a rule reads. */
type ValueOf<R extends Rule> = R extends IntegerRule ? number : R extends ChoiceRule<infer W> ? W : string;
type ValuesOf<R extends Rules> = { readonly [Name in keyof R]: ValueOf<R[Name]> };

/** The highest page that may be asked for. */
export const PAGE_MAX = 1_000_000;

const PAGING = {
  page: { kind: 'integer', min: 1, max: PAGE_MAX, byDefault: 1, meaning: 'The page, counted from 1.' },
  per_page: {
    kind: 'integer',
    min: 1,
    max: PER_PAGE_MAX,
    byDefault: PER_PAGE_DEFAULT,
    meaning: 'How many records a page holds.',
  },
} as const satisfies Rules;

const SORT: ChoiceRule<Sort> = {
  kind: 'choice',
  choices: SORTS,
  byDefault: 'new',
  meaning: 'The order: newest first, oldest first, or most viewed first (then newest).',
};

const POSTS = {
  ...FILTERS,
  q: {
    kind: 'text',
    maxCharacters: MAX_QUERY_CHARACTERS,
    maxTerms: MAX_QUERY_TERMS,
    meaning:
      'A search. Each term must occur in the title, the description or a tag, also inside a word; case does not matter.',
  },
  sort: SORT,
  ...PAGING,
} as const satisfies Rules;

/** The query parameters of the endpoints that take any; all others are ignored. */
export const QUERY_PARAMETERS = { posts: POSTS, authors: PAGING } as const;

/** The parameters that stand in a path. Any text may be asked for; one that names nothing is a 404. */
export const PATH_PARAMETERS = {
  slug: 'The slug of an article, as lists of articles give it.',
  username: 'The username of an author, as lists of authors give it.',
} as const;

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** What a list is narrowed by: the value of each filter. */
export type Filters = Readonly<Record<FilterName, string>>;

/** What `GET /posts` is asked for. Empty texts are ignored. */
export interface PostsQuery extends Paging {
  readonly filters: Filters;
  readonly q: string;
  readonly sort: Sort;
}

/** @throws ApiError 400, 422 */
export function parsePostsQuery(query: Query): PostsQuery {
  const { page, per_page: perPage, sort, q, ...filters } = read(query, POSTS);
  return { filters, q: q.trim(), sort, page, perPage };
}

/** @throws ApiError 400 */
export function parsePaging(query: Query): Paging {
  const { page, per_page: perPage } = read(query, PAGING);
  return { page, perPage };
}

/**
 * The values of a query by rules. What is wrong on its face goes first (design, "400 or 422"); of texts,
 * all that are wrong are named at once.
 *
 * @throws ApiError 400, 422
 */
function read<R extends Rules>(query: Query, rules: R): ValuesOf<R> {
  const values: Record<string, string | number> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, rule] of Object.entries(rules)) {
    if (query.repeated.has(name)) throw badRequest(`The parameter ${name} is given twice. Give it once.`);
    const text = query.values.get(name);
    if (rule.kind === 'integer') values[name] = readInteger(name, rule, text);
    else if (rule.kind === 'choice') values[name] = readChoice(name, rule, text);
    else {
      values[name] = text ?? '';
      const faults = text ? faultsOf(rule, text) : [];
      if (faults.length > 0) errors[name] = faults;
    }
  }
  const wrong = Object.keys(errors);
  if (wrong.length > 0) {
    throw new ApiError(422, `Validation failed for ${wrong.join(', ')}. See errors.`, { errors });
  }
  return values as ValuesOf<R>; // Each name of the rules has got the value of its kind above.
}

function readInteger(name: string, { min, max, byDefault }: IntegerRule, text: string | undefined): number {
  if (text === undefined) return byDefault;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badRequest(`${name} must be an integer from ${min} to ${max}.`);
}

function readChoice(name: string, { choices, byDefault }: ChoiceRule, text: string | undefined): string {
  if (text === undefined) return byDefault;
  if (choices.includes(text)) return text;
  throw badRequest(`${name} must be one of ${choices.join(', ')}.`);
}

function faultsOf({ maxCharacters, maxTerms }: TextRule, text: string): string[] {
  const faults: string[] = [];
  if (text.length > maxCharacters && [...text].length > maxCharacters) {
    faults.push(`It may have at most ${maxCharacters} characters.`);
  }
  if (hasControl(text)) faults.push('It must not contain control characters.');
  if (faults.length === 0 && maxTerms !== undefined && wordsOf(text).length > maxTerms) {
    faults.push(`It may have at most ${maxTerms} terms.`);
  }
  return faults;
}
