/**
 * Every parameter of the interface: its name, rule, default and meaning. The gateway validates requests with these
 * tables, and the build writes the description from them.
 */
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, type Sort, SORTS } from './api.ts';
import { FILTERS, type ListRule, LISTS } from './filters.ts';
import { MAX_QUERY_CHARACTERS, MAX_QUERY_TERMS } from './search/search-text.ts';

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

/** Some of a few words, separated by commas; any other word is a 400. Without a value there are none. */
export interface WordsRule<Word extends string = string> {
  readonly kind: 'words';
  readonly choices: readonly Word[];
  readonly meaning: string;
}

/** A text; an invalid one is a 422. Empty values are ignored. */
export interface TextRule {
  readonly kind: 'text';
  readonly maxCharacters: number;
  /** The most terms, separated by white space. */
  readonly maxTerms?: number;
  /** The most items, separated by commas. */
  readonly maxItems?: number;
  readonly meaning: string;
}

/**
 * A token from an earlier answer, or an RFC 3339 date or time (in UTC if it has no offset); anything else is a 400. Empty
 * values are ignored.
 */
export interface PlainRule<Kind extends 'token' | 'time' = 'token' | 'time'> {
  readonly kind: Kind;
  readonly meaning: string;
}

/**
 * Date, hours, minutes, seconds with any fraction, and offset. A space stands for a plus that was not percent-encoded.
 */
export const TIME_PATTERN =
  '^(\\d{4}-(\\d{2})-(\\d{2}))([Tt]([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d(\\.\\d+)?)([Zz]|([+ -])([01]\\d|2[0-3]):([0-5]\\d))?)?$';

export type Rule = IntegerRule | ChoiceRule | TextRule | ListRule | PlainRule | WordsRule;
export type Rules = Readonly<Record<string, Rule>>;

/** The highest page that a request may name. */
const PAGE_MAX = 1_000_000;

/** For every paged list. */
export const PAGING_PARAMETERS = {
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

/** An addition to the given interface. */
const SLUG_LIST: TextRule = {
  kind: 'text',
  maxCharacters: 4000,
  maxItems: PER_PAGE_MAX,
  meaning:
    'Articles by their slugs, separated by commas, in this order. Unknown slugs are left out. Can be combined only with `include`.',
};

/** Of `GET /posts`. */
export const POSTS_PARAMETERS = {
  ...FILTERS,
  ...LISTS,
  from: { kind: 'time', meaning: 'Articles published at this time or later.' },
  until: { kind: 'time', meaning: 'Articles published before this time.' },
  q: {
    kind: 'text',
    maxCharacters: MAX_QUERY_CHARACTERS,
    maxTerms: MAX_QUERY_TERMS,
    meaning:
      'A search. Each term must occur in the title, the description or a tag, even inside a word; case does not matter.',
  },
  sort: SORT,
  slug: SLUG_LIST,
  include: {
    kind: 'words',
    choices: ['dates'],
    meaning: '`dates`: when each article was last changed, as `updated_at`.',
  },
  ...PAGING_PARAMETERS,
} as const satisfies Rules;

/** Of `GET /posts/{slug}`. */
export const POST_PARAMETERS = {
  include: {
    kind: 'words',
    choices: ['summary', 'dates', 'neighbours'],
    meaning:
      'Further fields, separated by commas. `summary`: those that the article has in lists. `dates`: `updated_at`. `neighbours`: `previous` and `next` by time of publication.',
  },
  moved: {
    kind: 'choice',
    choices: ['', 'redirect'],
    byDefault: '',
    meaning: '`redirect`: a former slug gets a 301 to the article, not a 404.',
  },
} as const satisfies Rules;

/** Of `GET /changes`. */
export const CHANGES_PARAMETERS = {
  since: {
    kind: 'token',
    meaning: 'The `token` of an earlier answer. Without it, all articles.',
  },
  cursor: {
    kind: 'token',
    meaning: 'The `cursor` of the previous answer, for the next page. `since` is then ignored.',
  },
  per_page: PAGING_PARAMETERS.per_page,
} as const satisfies Rules;

/** The query parameters of each endpoint that has any; others are ignored. */
export const QUERY_PARAMETERS = {
  posts: POSTS_PARAMETERS,
  post: POST_PARAMETERS,
  changes: CHANGES_PARAMETERS,
  authors: PAGING_PARAMETERS,
} as const;

/** Path parameters. Any text is allowed; an unknown one is a 404. */
export const PATH_PARAMETERS = {
  slug: 'The slug of an article, as lists of articles give it.',
  username: 'The username of an author, as lists of authors give it.',
} as const;
