/** Responses by status: when they are sent, their headers and body. */
import type { EndpointName } from '../../contract/api.ts';
import type { ErrorExample, Examples } from './examples.ts';
import {
  COMMON_HEADERS,
  type HeaderName,
  headerReferences,
  optionalHeaders,
  QUOTA_HEADERS,
} from './headers.ts';
import { record, refersTo, type Schema, successSchema, text } from './schemas.ts';

interface ErrorDescription {
  readonly component: string;
  readonly when: string;
  /** In addition to those of every error. */
  readonly headers?: readonly HeaderName[];
  /** In addition to these, on some answers. */
  readonly optional?: readonly HeaderName[];
  /** It can happen before the caller is identified. */
  readonly mayLackQuota?: true;
  readonly body?: 'ErrorResponse' | 'ValidationErrorResponse';
}

/** Every error, by its status. */
export const ERROR_RESPONSES = {
  400: {
    component: 'BadRequest',
    when: 'A parameter is unreadable, out of range or given twice; the percent-encoding is broken; or the URL contains a key.',
  },
  401: {
    component: 'Unauthorised',
    when: 'The key is invalid or revoked, or two headers carry different keys. Counts against the IP address.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    component: 'Forbidden',
    when: 'The key lacks the permission, which `WWW-Authenticate` names.',
    headers: ['WWW-Authenticate'],
  },
  404: { component: 'NotFound', when: 'There is no such path, article or author.' },
  405: {
    component: 'MethodNotAllowed',
    when: 'The method is neither GET, HEAD nor OPTIONS.',
    headers: ['Allow'],
  },
  408: { component: 'TooSlow', when: 'The request took too long to arrive.', mayLackQuota: true },
  412: {
    component: 'Changed',
    when: 'The current version is not the one in `If-Match`. Counts as a request.',
    optional: ['ETag'],
  },
  414: { component: 'UriTooLong', when: 'The URL is longer than 16,384 bytes.' },
  422: {
    component: 'Invalid',
    when: 'A parameter’s text is not valid. `errors` has the reasons.',
    body: 'ValidationErrorResponse',
  },
  429: {
    component: 'TooManyRequests',
    when: 'A limit is reached; the message says which. Not counted.',
    headers: ['Retry-After'],
  },
  431: { component: 'HeadersTooLarge', when: 'The request’s headers are too large.', mayLackQuota: true },
  500: { component: 'Unexpected', when: 'Something went wrong on the server.', mayLackQuota: true },
  503: {
    component: 'NotReady',
    when: 'Nothing is published yet, or the newest version cannot be read at the moment.',
    optional: ['Retry-After'],
    mayLackQuota: true,
  },
} as const satisfies Record<number, ErrorDescription>;

export type ErrorStatus = keyof typeof ERROR_RESPONSES;

/** All that operations refer to. */
export function responseComponents({ errors }: Examples): Readonly<Record<string, unknown>> {
  const described = Object.entries<ErrorDescription>(ERROR_RESPONSES).map(
    ([status, response]): [string, Schema] => {
      const examples = errors.filter((example) => example.status === Number(status));
      return [response.component, errorResponse(response, examples)];
    },
  );
  return Object.fromEntries(described);
}

export function errorReference(status: ErrorStatus): Schema {
  return { $ref: `#/components/responses/${ERROR_RESPONSES[status].component}` };
}

/** 200. */
export function success(data: Schema, extra: readonly HeaderName[], example: unknown): Schema {
  return {
    description: 'Success.',
    headers: headerReferences([...COMMON_HEADERS, 'Cache-Control', 'X-Snapshot', ...QUOTA_HEADERS, ...extra]),
    content: {
      'application/json': {
        schema: successSchema(data),
        ...(example !== undefined && { examples: { real: { summary: 'From this blog', value: example } } }),
      },
    },
  };
}

/** 301, from a former slug. */
export const MOVED: Schema = {
  description:
    'With `moved=redirect`: the slug of the article has changed. The new URL keeps `include`. Counts as a request.',
  headers: headerReferences([...COMMON_HEADERS, 'Cache-Control', 'Location', 'X-Snapshot', ...QUOTA_HEADERS]),
  content: {
    'application/json': {
      schema: successSchema(record('The article.', { slug: text('Its current slug.') })),
    },
  },
};

/** 304, to an `If-None-Match` that names what is still current. */
export function notModified(extra: readonly HeaderName[]): Schema {
  return {
    description: 'The client’s copy is current. No body. Counts as a request.',
    headers: headerReferences([...COMMON_HEADERS, 'Cache-Control', 'X-Snapshot', ...QUOTA_HEADERS, ...extra]),
  };
}

/** The headers that a success of this endpoint has in addition to the common ones. */
export function successHeaders(name: EndpointName): readonly HeaderName[] {
  if (name === 'me') return [];
  return name === 'posts' || name === 'authors' ? ['ETag', 'Link'] : ['ETag'];
}

function errorResponse(response: ErrorDescription, examples: readonly ErrorExample[]): Schema {
  const { when, headers = [], optional = [], mayLackQuota = false, body = 'ErrorResponse' } = response;
  return {
    description:
      when + (mayLackQuota ? ' The quota headers are missing if the caller could not be identified.' : ''),
    headers: {
      ...headerReferences([...COMMON_HEADERS, 'Cache-Control', ...headers]),
      ...optionalHeaders(optional),
      ...(mayLackQuota ? optionalHeaders(QUOTA_HEADERS) : headerReferences(QUOTA_HEADERS)),
    },
    content: {
      'application/json': {
        schema: refersTo(body),
        examples: Object.fromEntries(
          examples.map(({ name, summary, body: value }) => [name, { summary, value }]),
        ),
      },
    },
  };
}
