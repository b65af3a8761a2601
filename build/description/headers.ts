/** Each header of an answer: what it means, and what it looks like. */
import { PREFIX } from '../../contract/api.ts';
import { METHODS } from '../../gateway/reply.ts';
import type { Schema } from './schemas.ts';

interface Header {
  readonly meaning: string;
  readonly schema: Schema;
  /** Whether some answers lack it. */
  readonly isOptional?: true;
  /** If no example request gets it. */
  readonly example?: string;
}

const count: Schema = { type: 'integer', minimum: 0 };
const matching = (pattern: string): Schema => ({ type: 'string', pattern });

/** As draft-ietf-httpapi-ratelimit-headers-10 writes them. */
const RATES = '^"(daily|minute)"(;[a-z]=\\d+)+(, "minute"(;[a-z]=\\d+)+)?$';

export const HEADERS = {
  'X-Quota-Limit': { meaning: 'The caller’s daily limit.', schema: count },
  'X-Quota-Used': { meaning: 'Requests used today, including this one.', schema: count },
  'X-Quota-Remaining': { meaning: 'Requests left today.', schema: count },
  'X-Quota-Reset': {
    meaning: 'When the daily quota resets: the next UTC midnight, in Unix seconds.',
    // Above 2^31 from 2038.
    schema: { ...count, format: 'int64', multipleOf: 86_400 },
  },
  'RateLimit-Policy': {
    meaning: 'The limits: `q` requests in a window of `w` seconds. Absent without a limit.',
    isOptional: true,
    schema: matching(RATES),
  },
  RateLimit: {
    meaning: 'What is left: `r` requests; the next ones in `t` seconds. Absent without a limit.',
    isOptional: true,
    schema: matching(RATES),
  },
  'Retry-After': {
    meaning: 'Seconds from now until the next request can succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    meaning: 'Identifies this content. Send it back as `If-None-Match`.',
    schema: matching('^(W/)?"[^"]+"$'),
  },
  Link: {
    meaning: 'The first, previous, next and last page, if they exist (RFC 8288). Absent if `slug` is sent.',
    isOptional: true,
    schema: matching('^<[^>]+>; rel="first"'),
  },
  Location: {
    meaning: 'The current URL of the article.',
    schema: matching('^(https?:/)?/.*/posts/[^/]+$'),
    example: `${PREFIX}/posts/its-slug-now`,
  },
  'X-Snapshot': {
    meaning:
      'Identifies the snapshot of the blog. It changes with every publish, even if only view counts changed.',
    schema: matching('^[a-z2-7]{26}$'),
  },
  'Cache-Control': {
    meaning:
      'Data may be cached for one minute: by the client only, or by any cache if callers without a key have no limit. `/me` and errors are not cached.',
    schema: {
      type: 'string',
      enum: ['private, max-age=60', 'public, max-age=60, s-maxage=60', 'no-store'],
    },
  },
  Vary: { meaning: 'The request headers that an answer depends on.', schema: { type: 'string' } },
  Allow: { meaning: 'The allowed methods.', schema: { type: 'string', const: METHODS } },
  'WWW-Authenticate': {
    meaning: 'How to send a key, and what is wrong with this one (RFC 6750).',
    schema: matching('^Bearer '),
  },
  'X-Content-Type-Options': {
    meaning: 'Clients must use the type in `Content-Type`, and not guess another.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'Access-Control-Allow-Origin': {
    meaning: 'Pages of any origin may read the answer.',
    schema: { type: 'string', const: '*' },
  },
  'Access-Control-Expose-Headers': {
    meaning: 'The headers that these pages may read.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

/** On every answer. */
export const COMMON_HEADERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Vary',
] as const satisfies readonly HeaderName[];

/** On every answer to a caller who could be identified. */
export const QUOTA_HEADERS = [
  'X-Quota-Limit',
  'X-Quota-Used',
  'X-Quota-Remaining',
  'X-Quota-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const satisfies readonly HeaderName[];

/** The `headers` of a response that always has them. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The same for a response that may lack them. */
export function optionalHeaders(names: readonly HeaderName[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      { description: HEADERS[name].meaning, required: false, schema: HEADERS[name].schema },
    ]),
  );
}

/** The headers as components, each with a value from an example. */
export function headerComponents(
  headers: Readonly<Record<string, Header>>,
  sent: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { meaning, schema, isOptional, example: made }]) => {
      const value = sent.get(name.toLowerCase()) ?? made;
      const example = schema['type'] === 'integer' ? Number(value) : value;
      const described = { description: meaning, required: isOptional !== true, schema };
      return [name, value === undefined ? described : { ...described, example }];
    }),
  );
}
