/**
 * The bodies of answers, as JSON Schema 2020-12 (which OpenAPI 3.1 takes as it is). No field is ever missing, but those of `include`.
 *
 * Clients are generated from these, with validators that take a schema literally, so that two things are left out:
 * `additionalProperties: false`, since a later version may add a field; and `format`, since many take `date-time` for a
 * time that ends in `Z`, differ in which addresses are a `uri`, and make a `bigint` of `int64`. A `maximum` says which numbers
 * need more than 32 bits.
 */
import { API_VERSION, PER_PAGE_MAX, SCOPES } from '../../contract/api.ts';
import { NO_LIMIT } from '../../contract/policy.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A reference to one of SCHEMAS. */
export function refersTo(name: keyof typeof SCHEMAS): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export const text = (description: string): Schema => ({ type: 'string', description });
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
const address = (what: string): Schema => text(`The absolute URL of ${what}.`);
const addressOrNull = (what: string): Schema => textOrNull(`The absolute URL of ${what}.`);
const count = (description: string, minimum = 0): Schema => ({ type: 'integer', minimum, description });
const listSchema = (items: Schema, description: string): Schema => ({ type: 'array', items, description });

const TAGS = listSchema({ type: 'string' }, 'The names of its tags.');
const PUBLISHED_AT: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?[+-]\\d\\d:\\d\\d$',
  description: 'ISO 8601, with the offset from UTC that the author wrote.',
};

/** An object whose fields are all there. @param more fields that are only there if they are asked for */
export function record(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  return {
    type: 'object',
    description,
    required: Object.keys(properties),
    properties: { ...properties, ...more },
  };
}

/** A record, or null where there is none. */
function recordOrNull(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { ...record(description, properties), type: ['object', 'null'] };
}

/** The body of a success: the envelope around `data`. @param more fields next to it */
export function successSchema(data: Schema, more: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: 'object',
    required: ['success', 'data', ...Object.keys(more)],
    properties: { success: { type: 'boolean', const: true }, data, ...more },
  };
}

/** The data of a paged list. */
export function pagedListSchema(name: keyof typeof SCHEMAS): Schema {
  return record('One page of the list.', {
    items: { type: 'array', items: refersTo(name), maxItems: PER_PAGE_MAX },
    meta: refersTo('PageMeta'),
  });
}

const term = (description: string, counted: string): Schema =>
  record(description, {
    name: text('Display name.'),
    slug: text('Used in URLs and filters.'),
    posts_count: count(counted),
    url: address('its page on the public site'),
  });

const byKind = (description: string): Schema =>
  record(description, {
    address: count('Without a key, for one IP address.', 1),
    user: count('With a key, for its account.', 1),
    admin: count('With a key of an administrator.', 1),
  });

const ERROR = {
  success: { type: 'boolean', const: false },
  message: { type: 'string', minLength: 1, description: 'What is wrong, and what to do.' },
} as const;

/** What an article has in lists. */
const SUMMARY = {
  slug: text('Identifies the article in paths.'),
  title: text('Plain text.'),
  description: textOrNull('A few sentences of plain text: its description, or the beginning of its text.'),
  cover: addressOrNull('a picture'),
  views: { ...count('How often it was viewed on the site.'), maximum: Number.MAX_SAFE_INTEGER },
  tags: TAGS,
  category: recordOrNull('Null if it has none.', {
    name: text('Display name.'),
    slug: text('Identifies the category in filters and paths.'),
  }),
  author: recordOrNull('Null if it has none.', {
    name: text('Display name.'),
    username: text('Identifies the author in filters and paths.'),
  }),
  url: address('the article on the public site'),
  published_at: PUBLISHED_AT,
} as const;

/** What only the article itself has. */
const TEXT = {
  content: text('Sanitised HTML; all URLs in it are absolute.'),
  seo: record('Title and description for search engines.', {
    meta_title: textOrNull('A title.'),
    meta_description: textOrNull('A description.'),
  }),
} as const;

const UPDATED_AT: Schema = {
  ...PUBLISHED_AT,
  type: ['string', 'null'],
  description: 'When it was last changed; null if its source does not say.',
};

const neighbour = (which: string): Schema =>
  recordOrNull(`${which}. Only with \`include=neighbours\`.`, {
    slug: SUMMARY.slug,
    title: SUMMARY.title,
    url: SUMMARY.url,
  });

/** With `include=dates`. */
const DATES = { updated_at: UPDATED_AT } as const;

/** What `include` adds to an article, besides the fields of lists. */
const INCLUDED = {
  ...DATES,
  previous: neighbour('The article published before it; null if it is the first'),
  next: neighbour('The article published after it; null if it is the last'),
} as const;

export const SCHEMAS = {
  Overview: record('Endpoints, permissions and limits of the API.', {
    name: text('The name of the API.'),
    version: { type: 'string', const: API_VERSION },
    site: record('The blog.', { name: text('Its name.'), url: address('its public site') }),
    endpoints: listSchema({ type: 'string' }, 'Method and path, below the prefix.'),
    permissions: listSchema(
      record('A permission that a key can carry.', {
        name: { type: 'string', enum: SCOPES },
        opens: text('What it opens.'),
        endpoints: listSchema({ type: 'string' }, 'The endpoints it opens.'),
      }),
      'All permissions.',
    ),
    limits: record(`The limits in force. ${NO_LIMIT}: no limit.`, {
      daily: byKind('Requests per UTC day, by kind of caller.'),
      per_minute: {
        description: 'Requests in any 60 seconds: for every caller, or by kind.',
        oneOf: [count('For every caller.', 1), byKind('By kind of caller.')],
      },
      per_page: record('Values of `per_page`.', { default: count('', 1), max: count('', 1) }),
    }),
  }),
  Me: record('The caller’s key and today’s quota.', {
    key: recordOrNull('Null without a key.', {
      name: text('The name given to the key.'),
      prefix: text('Its leading characters.'),
      scopes: listSchema({ type: 'string', enum: SCOPES }, 'The permissions it carries.'),
    }),
    quota: record('Of the account, or of the IP address without a key.', {
      limit: count('Requests per day.', 1),
      used: count('Used today, including this request.'),
      remaining: count('Left today.'),
    }),
  }),
  PostSummary: record('An article in a list.', SUMMARY, DATES),
  Post: record(
    'An article with its full text.',
    {
      slug: SUMMARY.slug,
      title: SUMMARY.title,
      content: TEXT.content,
      tags: TAGS,
      seo: TEXT.seo,
      published_at: PUBLISHED_AT,
    },
    INCLUDED,
  ),
  WholePost: record(
    'An article with its full text and the fields that it has in lists.',
    { ...SUMMARY, ...TEXT },
    INCLUDED,
  ),
  ChangedPost: record('An article for a copy of the blog.', {
    ...SUMMARY,
    ...TEXT,
    ...DATES,
    former_slugs: listSchema(
      { type: 'string' },
      'Slugs that it had earlier. Another article may use one of them now.',
    ),
  }),
  Changes: record('A page of all articles, or of changes.', {
    items: {
      type: 'array',
      items: { $ref: '#/components/schemas/ChangedPost' },
      description: 'Articles that are new to the copy, or changed.',
    },
    removed: listSchema({ type: 'string' }, 'Slugs of removed articles.'),
    lists: record('Which lists to read again.', {
      categories: { type: 'boolean', description: 'Whether `/categories` changed.' },
      tags: { type: 'boolean', description: 'Whether `/tags` changed.' },
      authors: { type: 'boolean', description: 'Whether `/authors` changed.' },
    }),
    cursor: textOrNull('To send for the next page; null on the last.'),
    token: textOrNull('To send as `since` next time; null except on the last page.'),
    whole: {
      type: 'boolean',
      description:
        'Whether these pages are the whole blog. If so, articles that they do not give do not exist.',
    },
  }),
  Category: term('A category.', 'Published articles in it.'),
  Tag: term('A tag.', 'Published articles that carry it.'),
  Author: record('The public details of an author.', {
    name: text('Display name.'),
    username: text('Identifies the author in paths.'),
    avatar: addressOrNull('a picture'),
    posts_count: count('Their published articles.'),
  }),
  PageMeta: record('The position in a paged list.', {
    page: count('This page.', 1),
    per_page: { type: 'integer', minimum: 1, maximum: PER_PAGE_MAX, description: 'Records per page.' },
    last_page: count('The last page; 1 if the list is empty.', 1),
    total: count('Total number of records.'),
  }),
  ErrorResponse: record('What went wrong.', ERROR),
  ValidationErrorResponse: record('What is wrong with each parameter.', {
    ...ERROR,
    errors: {
      type: 'object',
      minProperties: 1,
      description: 'Reasons, by parameter name.',
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
  }),
} as const satisfies Record<string, Schema>;
