import { LRUCache } from 'lru-cache';
import { badRequest } from './api-error.ts';
import { AskedBefore } from './asked-before.ts';

/** The parameters of a request, each with its one value. */
export type Query = ReadonlyMap<string, string>;

const EMPTY: Query = new Map();

/** Names under which people put keys into URLs, without case, hyphens and underscores. */
const KEY_NAMES = new Set([
  'apikey',
  'xapikey',
  'key',
  'accesskey',
  'accesstoken',
  'authorization',
  'bearer',
  'token',
]);
const LOOKS_LIKE_KEY = /^opk_[0-9A-Za-z]{8}_/;

/**
 * Reads a query string strictly (design, "400 or 422"): as HTML forms write it, but broken
 * percent-encoding, a parameter given twice, and a key in the URL are errors.
 *
 * @param text what follows the `?`, as sent
 * @throws ApiError 400
 */
export function parseQuery(text: string): Query {
  if (text === '') return EMPTY;
  const known = KNOWN.get(text);
  if (known) return known;
  const query = readQuery(text);
  if (text.length <= KNOWN_LENGTH && ASKED.add(text)) KNOWN.set(text, query);
  return query;
}

/** Most requests ask what others have asked. What was read of it goes with it: see `parsePostsQuery`. */
const KNOWN = new LRUCache<string, Query>({ max: 1000 });
const KNOWN_LENGTH = 200;
const ASKED = new AskedBefore();

function readQuery(text: string): Query {
  const query = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (KEY_NAMES.has(name.toLowerCase().replace(/[-_]/g, '')) || LOOKS_LIKE_KEY.test(value)) {
      throw badRequest(
        'A key must not be sent in the URL, where histories and logs keep it. ' +
          'Send it in the header Authorization: Bearer <API_KEY>, or X-Api-Key. If this was a real key, replace it.',
      );
    }
    if (query.has(name)) throw badRequest(`The parameter ${name} is given twice. Give it once.`);
    query.set(name, value);
  }
  return query;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest(
      'The query has broken percent-encoding. Encode it as UTF-8, as encodeURIComponent does.',
    );
  }
}
