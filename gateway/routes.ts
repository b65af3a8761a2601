import { ENDPOINTS, type EndpointName, PREFIX } from '../contract/api.ts';
import { containsKey } from '../contract/api-key.ts';
import { type ApiError, notFound } from './api-error.ts';
import { decode, keyInUrl } from './query.ts';

/** Where a request leads. */
export interface Route {
  readonly endpoint: EndpointName;
  /** The path parameter as sent, before `decodeParameter`; empty where the path has none. */
  readonly parameter: string;
}

/** `/posts` → where it leads; `/posts/` for what follows with a parameter. From the one table of endpoints. */
const FIXED = new Map<string, EndpointName>();
const WITH_PARAMETER = new Map<string, EndpointName>();
for (const [name, { path }] of Object.entries(ENDPOINTS) as [EndpointName, { path: string }][]) {
  const open = path.indexOf('{');
  if (open === -1) FIXED.set(PREFIX + path, name);
  else WITH_PARAMETER.set(PREFIX + path.slice(0, open), name);
}

const BELOW_PREFIX = `${PREFIX}/`;

/** What a request asks for, taken apart. */
export interface Target {
  /** What follows the `?`; empty where there is none. */
  readonly query: string;
  /** Whether the path belongs to the interface at all, and so counts. */
  readonly isUnderPrefix: boolean;
  /** Null: nothing is there. */
  readonly route: Route | null;
}

/** @param target path and query, as sent */
export function readTarget(target: string): Target {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const isUnderPrefix = path.startsWith(BELOW_PREFIX) || path === PREFIX;
  return {
    query: mark === -1 ? '' : target.slice(mark + 1),
    isUnderPrefix,
    route: isUnderPrefix ? findRoute(path) : null,
  };
}

/**
 * Finds the endpoint of a path; the parameter is decoded by decodeParameter, later in the order of checks. One slash at
 * the end changes nothing, on any path.
 */
function findRoute(path: string): Route | null {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const fixed = FIXED.get(bare);
  if (fixed) return { endpoint: fixed, parameter: '' };

  const slash = bare.lastIndexOf('/') + 1;
  const endpoint = slash < bare.length ? WITH_PARAMETER.get(bare.slice(0, slash)) : undefined;
  return endpoint ? { endpoint, parameter: bare.slice(slash) } : null;
}

/** @throws ApiError 400, also where it holds a key */
export function decodeParameter(parameter: string): string {
  const decoded = decode(parameter, 'path');
  if (containsKey(decoded)) throw keyInUrl();
  return decoded;
}

export function unknownPath(): ApiError {
  return notFound(`There is no such path. ${PREFIX} lists the endpoints.`);
}
