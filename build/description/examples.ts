/**
 * Examples for the description: real answers of the gateway to imagined callers, at a fixed time, on a small blog
 * (example-blog.ts). The same blog always gives the same examples.
 */
import { ENDPOINTS, type EndpointName, PREFIX, type Scope, SCOPES } from '../../contract/api.ts';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { dayNumber } from '../../contract/day.ts';
import { dayLimit, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import { ApiError, NOT_READY, TOO_SLOW } from '../../gateway/api-error.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { KeyStore, Principal, QuotaCounter } from '../../gateway/home.ts';
import { countRequest, newTally, peekRequest, type Tally } from '../../gateway/quota.ts';
import { refused, type Reply } from '../../gateway/reply.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import type { KnownValues } from './example-blog.ts';

/** An error, as a client sees it. */
export interface ErrorExample {
  readonly name: string;
  readonly status: number;
  readonly summary: string;
  readonly body: unknown;
}

export interface Examples {
  /** The body of each endpoint's success. An empty blog has no article and no author to show. */
  readonly successes: ReadonlyMap<EndpointName, unknown>;
  readonly errors: readonly ErrorExample[];
  /** A value of each header, by its name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly known: KnownValues;
}

interface ExampleRequest {
  readonly method?: string;
  readonly target: string;
  readonly key?: string;
  readonly ifMatch?: string;
  /** What happened before it. */
  readonly state?: 'day used up' | 'minute used up' | 'counter broken';
}

const NOW_MS = Date.UTC(2026, 0, 15, 9, 30);

/** Longer than any target may be. */
const LONG = 'x'.repeat(20_000);

const FULL_KEY = exampleKey(7);
const BLOG_KEY = exampleKey(11);

/** The requests that show each endpoint's success. */
export const SUCCESSES: Readonly<Record<EndpointName, (known: KnownValues) => ExampleRequest>> = {
  overview: () => ({ target: PREFIX }),
  me: () => ({ target: `${PREFIX}/me`, key: FULL_KEY }),
  posts: () => ({ target: `${PREFIX}/posts?per_page=2` }),
  // A blog that has none gives a 404 here, which is no example.
  post: ({ slug = 'none' }) => ({ target: `${PREFIX}/posts/${encodeURIComponent(slug)}` }),
  changes: () => ({ target: `${PREFIX}/changes?per_page=2` }),
  categories: () => ({ target: `${PREFIX}/categories` }),
  tags: () => ({ target: `${PREFIX}/tags` }),
  authors: () => ({ target: `${PREFIX}/authors?per_page=2` }),
  author: ({ username = 'none' }) => ({ target: `${PREFIX}/authors/${encodeURIComponent(username)}` }),
};

/** The requests that show each error. */
export const ERRORS: readonly (ExampleRequest & Pick<ErrorExample, 'name' | 'status' | 'summary'>)[] = [
  { name: 'range', status: 400, summary: 'A number out of range', target: `${PREFIX}/posts?per_page=51` },
  { name: 'choice', status: 400, summary: 'An unknown sort order', target: `${PREFIX}/posts?sort=best` },
  { name: 'twice', status: 400, summary: 'A parameter given twice', target: `${PREFIX}/posts?page=1&page=2` },
  { name: 'encoding', status: 400, summary: 'Broken percent-encoding', target: `${PREFIX}/posts?q=100%` },
  { name: 'keyInUrl', status: 400, summary: 'A key in the URL', target: `${PREFIX}/posts?api_key=opk_` },
  { name: 'noKey', status: 401, summary: 'Not a key', target: `${PREFIX}/me`, key: 'opk_guess' },
  {
    name: 'scope',
    status: 403,
    summary: 'A key without the permission',
    target: `${PREFIX}/tags`,
    key: BLOG_KEY,
  },
  { name: 'path', status: 404, summary: 'No such path', target: `${PREFIX}/comments` },
  { name: 'post', status: 404, summary: 'No such article', target: `${PREFIX}/posts/no-such%20article` },
  { name: 'author', status: 404, summary: 'No such author', target: `${PREFIX}/authors/no-such%20author` },
  {
    name: 'method',
    status: 405,
    summary: 'A method that is not allowed',
    target: `${PREFIX}/posts`,
    method: 'POST',
  },
  {
    name: 'changed',
    status: 412,
    summary: 'The version has changed',
    target: `${PREFIX}/tags`,
    ifMatch: '"an older version"',
  },
  { name: 'long', status: 414, summary: 'A URL that is too long', target: `${PREFIX}/posts?q=${LONG}` },
  { name: 'terms', status: 422, summary: 'Too many terms', target: `${PREFIX}/posts?q=a+b+c+d+e+f+g+h+i` },
  {
    name: 'characters',
    status: 422,
    summary: 'Two invalid texts',
    target: `${PREFIX}/posts?tag=%00&q=${'x'.repeat(101)}`,
  },
  {
    name: 'minute',
    status: 429,
    summary: 'The minute’s limit reached',
    target: `${PREFIX}/posts`,
    state: 'minute used up',
  },
  {
    name: 'day',
    status: 429,
    summary: 'The daily quota used up',
    target: `${PREFIX}/posts`,
    state: 'day used up',
  },
  { name: 'failed', status: 500, summary: 'A server error', target: PREFIX, state: 'counter broken' },
];

/** Asks the gateway for all examples. A limit that is off has no example of a 429. */
export async function askExamples(snapshot: Snapshot, known: KnownValues): Promise<Examples> {
  const headers = new Map<string, string>();
  const ask = async (request: ExampleRequest): Promise<Reply> => {
    const reply = await askGateway(snapshot, request);
    for (let i = 0; i < reply.headers.length; i += 2) {
      const name = (reply.headers[i] ?? '').toLowerCase();
      if (!headers.has(name)) headers.set(name, reply.headers[i + 1] ?? '');
    }
    return reply;
  };
  const successes = new Map<EndpointName, unknown>();
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const reply = await ask(SUCCESSES[name](known));
    if (reply.status === 200) successes.set(name, cutTexts(parseBody(reply)));
  }
  const errors: ErrorExample[] = [];
  for (const { name, status, summary, ...request } of ERRORS) {
    const reply = await ask(request);
    if (reply.status === status) errors.push({ name, status, summary, body: parseBody(reply) });
  }
  for (const error of [TOO_SLOW, HEADERS_TOO_LARGE, NOT_READY]) {
    const body = parseBody(refused(error, null));
    errors.push({ name: 'home', status: error.status, summary: 'The same each time', body });
  }
  return { successes, errors, headers, known };
}

/** 431: refused by the HTTP parser of a home. */
export const HEADERS_TOO_LARGE = new ApiError(
  431,
  'The request line and headers are too large. Shorten them.',
);

/** The gateway's reply to an imagined caller. */
function askGateway(snapshot: Snapshot, request: ExampleRequest) {
  const { method = 'GET', target, key, ifMatch, state } = request;
  const headers = new Map([
    ['authorization', key && `Bearer ${key}`],
    ['if-match', ifMatch],
  ]);
  const gateway = new Gateway(KEYS, counterAfter(state), { reportError: () => {} });
  const header = (name: string) => headers.get(name);
  return gateway.handle({ method, target, header, addressId: () => 'address:example' }, snapshot);
}

const LONGEST_TEXT = 400;
const LONGEST_LIST = 3;

/**
 * A value with long lists and texts cut short, as the description says.
 *
 * @param longest characters that a text keeps
 */
export function cutTexts(value: unknown, longest = LONGEST_TEXT): unknown {
  if (typeof value === 'string') {
    const characters = value.length > longest ? [...value] : [];
    return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item) => cutTexts(item, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'endpoints' ? inner : cutTexts(inner, longest),
    ]),
  );
}

function parseBody({ body }: Reply): unknown {
  return body === null || body.length === 0 ? null : JSON.parse(new TextDecoder().decode(body));
}

function exampleKey(step: number): string {
  return formatKey(Array.from({ length: RANDOM_CHARACTERS }, (_, i) => (i * step + step) % 62));
}

const KEY_SCOPES = new Map<string, readonly Scope[]>([
  [FULL_KEY, SCOPES],
  [BLOG_KEY, ['blog:read']],
]);

const KEYS: KeyStore = {
  now: () => NOW_MS,
  find(key) {
    const scopes = KEY_SCOPES.get(key);
    const record = { account: 'example', plan: 'user', name: 'my site', revoked: false };
    return scopes ? { ...record, prefix: keyPrefix(key), scopes } : null;
  },
};

/** A counter for one request. Limits that are off cannot be used up. */
function counterAfter(state: ExampleRequest['state']): QuotaCounter {
  const tallyAfter = ({ plan }: Principal, limits: Limits): Tally => {
    if (state === 'counter broken') throw new Error('Set by the example.');
    const [day, minute] = [dayLimit(limits, plan), minuteLimit(limits, plan)];
    const tally = newTally();
    if (state === 'day used up' && day !== NO_LIMIT) tally.days.push({ day: dayNumber(NOW_MS), used: day });
    if (state !== 'minute used up' || minute === NO_LIMIT) return tally;
    return { ...tally, times: [NOW_MS - 12_000], counts: [minute] };
  };
  return {
    count: (caller, limits) => countRequest(tallyAfter(caller, limits), caller, limits, NOW_MS),
    peek: (caller, limits) => peekRequest(tallyAfter(caller, limits), caller, limits, NOW_MS),
  };
}
