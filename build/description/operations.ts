/** What each endpoint is for, what it takes, and what it answers. */
import { ENDPOINTS, type EndpointName, SCOPE_OPENS } from '../../contract/api.ts';
import { QUERY_PARAMETERS, type Rules } from '../../contract/parameters.ts';
import type { Examples } from './examples.ts';
import { pathParameters, queryParameters } from './parameters.ts';
import {
  errorReference,
  type ErrorStatus,
  MOVED,
  notModified,
  success,
  successHeaders,
} from './responses.ts';
import { pagedListSchema, refersTo, type Schema } from './schemas.ts';

interface Operation {
  /** The name of a generated client's function. */
  readonly operationId: string;
  readonly tag: (typeof TAGS)[number]['name'];
  readonly summary: string;
  readonly description: string;
  /** What a success holds. */
  readonly data: Schema;
  /** In addition to those that any request may get. */
  readonly errors: readonly ErrorStatus[];
}

export const TAGS = [
  { name: 'Articles', description: SCOPE_OPENS['blog:read'] },
  { name: 'Categories and tags', description: SCOPE_OPENS['taxonomy:read'] },
  { name: 'Authors', description: SCOPE_OPENS['authors:read'] },
  { name: 'About', description: 'An overview of the API; your key and quota' },
] as const;

/** Statuses that any request may meet. */
const ANY: readonly ErrorStatus[] = [400, 401, 405, 408, 412, 414, 429, 431, 500, 503];

/** In the order in which they are shown. */
export const OPERATIONS: Readonly<Record<EndpointName, Operation>> = {
  posts: {
    operationId: 'listPosts',
    tag: 'Articles',
    summary: 'List articles',
    description:
      'Published articles. Filters combine with AND. A filter that matches nothing gives an empty list. `slug` gives the listed articles on one page. A page beyond the last has no `items`, and the same `meta`. `include=dates` adds `updated_at`.',
    data: pagedListSchema('PostSummary'),
    errors: [403, 422],
  },
  post: {
    operationId: 'getPost',
    tag: 'Articles',
    summary: 'Read an article',
    description:
      'One article with its full text. `include` adds fields. A former slug gets a 404 whose message has the current slug, or a 301 with `moved=redirect`.',
    data: { anyOf: [refersTo('WholePost'), refersTo('Post')] },
    errors: [403, 404],
  },
  changes: {
    operationId: 'listChanges',
    tag: 'Articles',
    summary: 'Follow the blog',
    description:
      'Everything that a copy of the blog needs. Without `since`: all articles with their full text, oldest first. With the `token` of an earlier answer as `since`: the articles added or changed since then, in their current form, and the slugs of those removed. Apply `items` and `removed` page by page. Send each `cursor` with the next request until it is null, then keep `token` for next time. If a cursor gets a 400, start again without it. New view counts alone are not a change. A page ends early at 2 MB.',
    data: refersTo('Changes'),
    errors: [403],
  },
  categories: {
    operationId: 'listCategories',
    tag: 'Categories and tags',
    summary: 'List categories',
    description: 'All categories by name, including those without an article. Not paged.',
    data: { type: 'array', items: refersTo('Category') },
    errors: [403],
  },
  tags: {
    operationId: 'listTags',
    tag: 'Categories and tags',
    summary: 'List tags',
    description: 'The tags of published articles, those with the most articles first. Not paged.',
    data: { type: 'array', items: refersTo('Tag') },
    errors: [403],
  },
  authors: {
    operationId: 'listAuthors',
    tag: 'Authors',
    summary: 'List authors',
    description: 'The authors with a published article, those with the most articles first.',
    data: pagedListSchema('Author'),
    errors: [403],
  },
  author: {
    operationId: 'getAuthor',
    tag: 'Authors',
    summary: 'Read an author',
    description: 'One author who has a published article.',
    data: refersTo('Author'),
    errors: [403, 404],
  },
  overview: {
    operationId: 'getOverview',
    tag: 'About',
    summary: 'Read the overview',
    description: 'Name, version, endpoints, permissions and limits.',
    data: refersTo('Overview'),
    errors: [],
  },
  me: {
    operationId: 'getMe',
    tag: 'About',
    summary: 'Read your key and quota',
    description: 'The key that was sent (`null` without one), and how much of today’s quota is used.',
    data: refersTo('Me'),
    errors: [],
  },
};

/** All of them, in the order of the reference. */
export const LISTED_OPERATIONS = (Object.keys(OPERATIONS) as EndpointName[]).map((name) => ({
  tag: OPERATIONS[name].tag,
  summary: OPERATIONS[name].summary,
  path: ENDPOINTS[name].path || '/',
}));

/** GET of one endpoint. HEAD answers the same without a body. */
export function describeOperation(name: EndpointName, { successes, known }: Examples): Schema {
  const { operationId, tag, summary, description, data, errors } = OPERATIONS[name];
  const { path, scope } = ENDPOINTS[name];
  const rules: Partial<Record<EndpointName, Rules>> = QUERY_PARAMETERS;
  const headers = successHeaders(name);
  const isKept = headers.includes('ETag');
  const statuses = [...ANY, ...errors].sort((a, b) => a - b);
  const permission = scope === null ? '' : `\n\nA key needs the permission \`${scope}\`.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description: description + permission,
    parameters: [
      ...pathParameters(path, known),
      ...queryParameters(rules[name] ?? {}, known),
      ...(isKept ? [IF_NONE_MATCH, IF_MATCH] : []),
    ],
    responses: {
      200: success(data, headers, successes.get(name)),
      ...(name === 'post' ? { 301: MOVED } : {}),
      ...(isKept ? { 304: notModified(headers) } : {}),
      ...Object.fromEntries(statuses.map((status) => [status, errorReference(status)])),
    },
  };
}

const IF_NONE_MATCH: Schema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer. The answer is 304 while it is current.',
  schema: { type: 'string' },
};

const IF_MATCH: Schema = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer. The answer is 412 when it is no longer current.',
  schema: { type: 'string' },
};
