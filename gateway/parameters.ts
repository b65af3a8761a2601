import { PER_PAGE_DEFAULT, PER_PAGE_MAX, type Sort, SORTS } from '../contract/api.ts';
import { MAX_QUERY_CHARACTERS, MAX_QUERY_TERMS, wordsOf } from '../contract/search-text.ts';
import { ApiError, badRequest } from './api-error.ts';
import type { Query } from './query.ts';

/** The highest page that may be asked for. */
export const PAGE_MAX = 1_000_000;

/** Characters a filter may have. */
export const FILTER_MAX = 200;

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** What `GET /posts` is asked for; empty texts are as if absent. */
export interface PostsQuery extends Paging {
  readonly category: string;
  readonly tag: string;
  readonly author: string;
  readonly q: string;
  readonly sort: Sort;
}

/** @throws ApiError 400, 422 */
export function parsePostsQuery(query: Query): PostsQuery {
  const paging = parsePaging(query);
  const sort = parseSort(query.get('sort'));
  const [category, tag, author, q] = ['category', 'tag', 'author', 'q'].map((name) => query.get(name) ?? '');

  const errors: Record<string, string[]> = {};
  for (const [name, value] of Object.entries({ category, tag, author, q })) {
    const reasons = name === 'q' ? searchFaults(value ?? '') : filterFaults(value ?? '');
    if (reasons.length > 0) errors[name] = reasons;
  }
  if (Object.keys(errors).length > 0) {
    throw new ApiError(422, `Validation failed for ${Object.keys(errors).join(', ')}. See errors.`, {
      errors,
    });
  }
  return {
    ...paging,
    sort,
    category: category ?? '',
    tag: tag ?? '',
    author: author ?? '',
    q: (q ?? '').trim(),
  };
}

/** @throws ApiError 400 */
export function parsePaging(query: Query): Paging {
  return {
    page: parseInteger(query, 'page', 1, PAGE_MAX),
    perPage: parseInteger(query, 'per_page', PER_PAGE_DEFAULT, PER_PAGE_MAX),
  };
}

function parseInteger(query: Query, name: string, byDefault: number, max: number): number {
  const text = query.get(name);
  if (text === undefined) return byDefault;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= max) return value;
  throw badRequest(`${name} must be an integer from 1 to ${max}.`);
}

function parseSort(text: string | undefined): Sort {
  if (text === undefined) return 'new';
  const sort = SORTS.find((known) => known === text);
  if (sort) return sort;
  throw badRequest(`sort must be one of ${SORTS.join(', ')}.`);
}

const CONTROL = /\p{Cc}/u;

function filterFaults(text: string): string[] {
  return [...lengthFaults(text, FILTER_MAX), ...controlFaults(text)];
}

function searchFaults(text: string): string[] {
  const faults = [...lengthFaults(text, MAX_QUERY_CHARACTERS), ...controlFaults(text)];
  if (faults.length === 0 && wordsOf(text).length > MAX_QUERY_TERMS) {
    faults.push(`It may have at most ${MAX_QUERY_TERMS} terms.`);
  }
  return faults;
}

function lengthFaults(text: string, max: number): string[] {
  const tooLong = text.length > max && [...text].length > max;
  return tooLong ? [`It may have at most ${max} characters.`] : [];
}

function controlFaults(text: string): string[] {
  return CONTROL.test(text) ? ['It must not contain control characters.'] : [];
}
