import { containsKey } from '../contract/api-key.ts';
import { type ApiError, badRequest } from './api-error.ts';
import { Cache } from './cache.ts';
import type { Soon } from './soon.ts';

/** The parameters of a request. */
export interface Query {
  /** Each with its first value. */
  readonly values: ReadonlyMap<string, string>;
  /** Those that are given more than once: an error only where an endpoint knows the parameter. */
  readonly repeated: ReadonlySet<string>;
}

const EMPTY: Query = { values: new Map(), repeated: new Set() };

/** Names under which people put keys into URLs, without case, hyphens and underscores. */
const KEY_NAME = /^(?:(?:x?api|access)?key|(?:access)?token|authorization|bearer)$/;

/**
 * Reads a query string strictly: as HTML forms write it, but broken percent-encoding and a key in the URL are
 * errors. A key is known by the name of its parameter, or by its check sum: a tag may well begin like one.
 *
 * @param text what follows the `?`, as sent
 * @throws ApiError 400
 */
export function parseQuery(text: string): Soon<Query> {
  return text === '' ? EMPTY : KNOWN.get(text, () => readQuery(text));
}

/** Most requests ask what others have asked. What is made of it goes with it: see `endpoints/posts.ts`. */
const KNOWN = new Cache<Query>(2 ** 20, () => QUERY_BYTES);
const QUERY_BYTES = 1000;

function readQuery(text: string): Query {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of text.replaceAll('+', ' ').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), 'query');
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), 'query');
    const isKey = KEY_NAME.test(name.toLowerCase().replace(/[-_]/g, ''));
    if (isKey || containsKey(name) || containsKey(value)) throw keyInUrl();
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  return { values, repeated };
}

/** 400: what stands in a URL is kept by histories and logs. */
export function keyInUrl(): ApiError {
  return badRequest(
    'A key must not be sent in the URL, where histories and logs keep it. ' +
      'Send it in the header Authorization: Bearer <API_KEY>, or X-Api-Key. If this was a real key, replace it.',
  );
}

/** @throws ApiError 400 */
export function decode(text: string, part: 'path' | 'query'): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(
      `The ${part} has broken percent-encoding. Encode it as UTF-8, as encodeURIComponent does.`,
    );
  }
}
