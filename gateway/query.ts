import { containsKey } from '../contract/api-key.ts';
import { type ApiError, badRequest } from './api-error.ts';
import { Cache } from './cache.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { ownText } from './own-text.ts';

/** The parameters of a request. */
export interface Query {
  /** Each with its first value. */
  readonly values: ReadonlyMap<string, string>;
  /** Repeated names: an error only if the endpoint knows the parameter. */
  readonly repeated: ReadonlySet<string>;
}

const EMPTY: Query = { values: new Map(), repeated: new Set() };

/** Parameter names that suggest a key in the URL, in lower case, without hyphens and underscores. */
const KEY_NAME = /^(?:(?:x?api|access)?key|(?:access)?token|authorization|bearer)$/;

/**
 * Parses a query string as HTML forms write it. Broken percent-encoding and keys in the URL are errors. A key is recognised
 * by the name of its parameter or by its checksum: a tag may begin like one.
 *
 * @param text after the `?`, as sent
 * @throws ApiError 400
 */
export function parseQuery(text: string): MaybePromise<Query> {
  return text === '' ? EMPTY : PARSED.get(text, () => readQuery(ownText(text)));
}

/** Most queries repeat: 2.4 µs instead of 7 with two filters. Values derived from a query are cached with it: see `endpoints/posts.ts`. */
const PARSED = new Cache<Query>(2 ** 20, () => QUERY_BYTES);
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

/** 400: URLs end up in histories and logs. */
export function keyInUrl(): ApiError {
  return badRequest(
    'A key must not be sent in the URL, where histories and logs keep it. ' +
      'Send it in the header Authorization: Bearer <API_KEY>, or X-Api-Key. If this was a real key, replace it.',
  );
}

/** @throws ApiError 400 */
export function decode(text: string, part: 'path' | 'query'): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(
      `The ${part} has broken percent-encoding. Encode it as UTF-8, as encodeURIComponent does.`,
    );
  }
}
