import { ENDPOINTS, type EndpointName, PREFIX } from '../contract/api.ts';
import { containsKey } from '../contract/api-key.ts';
import { ApiError } from './api-error.ts';
import { decode, keyInUrl } from './query.ts';
import { METHODS } from './reply.ts';

/** `/posts` → the endpoints of this path, and of the paths below it. From the table of endpoints. */
const ROUTES = new Map<string, { readonly itself?: EndpointName; readonly below?: EndpointName }>();
for (const [name, { path }] of Object.entries(ENDPOINTS) as [EndpointName, { path: string }][]) {
  const open = path.indexOf('/{');
  const first = open === -1 ? path : path.slice(0, open);
  ROUTES.set(first, { ...ROUTES.get(first), ...(open === -1 ? { itself: name } : { below: name }) });
}

const BELOW_PREFIX = `${PREFIX}/`;

/** A parsed request target. */
export interface RequestTarget {
  /** The text after `?`; may be empty. */
  readonly query: string;
  /** Whether the path belongs to the interface, and so counts. */
  readonly isUnderPrefix: boolean;
  /** Null: unknown path. */
  readonly endpoint: EndpointName | null;
  /** The path parameter as sent, for `decodeParameter`; may be empty. */
  readonly parameter: string;
}

/** @param target path and query, as sent. One trailing slash is ignored. */
export function readTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const isUnderPrefix = path.startsWith(BELOW_PREFIX) || path === PREFIX;
  const rest = isUnderPrefix ? path.slice(PREFIX.length, path.endsWith('/') ? -1 : undefined) : '/';
  const slash = rest.indexOf('/', 1);
  const route = ROUTES.get(slash === -1 ? rest : rest.slice(0, slash));
  const parameter = slash === -1 ? '' : rest.slice(slash + 1);
  const isName = parameter !== '' && !parameter.includes('/');
  return {
    query: mark === -1 ? '' : target.slice(mark + 1),
    isUnderPrefix,
    endpoint: (slash === -1 ? route?.itself : isName ? route?.below : null) ?? null,
    parameter,
  };
}

/** @throws ApiError 400, also if it contains a key */
export function decodeParameter(parameter: string): string {
  const decoded = decode(parameter, 'path');
  if (containsKey(decoded)) throw keyInUrl();
  return decoded;
}

/** 405: a path that exists. */
export function notAllowed(method: string): ApiError {
  return new ApiError(405, `${method} is not allowed: everything here is read-only. Use GET.`, {
    allow: METHODS,
  });
}

export function unknownPath(): ApiError {
  return new ApiError(404, `There is no such path. ${PREFIX} lists the endpoints.`);
}
