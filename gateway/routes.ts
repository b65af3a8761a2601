import { ENDPOINTS, type EndpointName, PREFIX } from '../contract/api.ts';
import { badRequest, notFound } from './api-error.ts';

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
FIXED.set(`${PREFIX}/`, 'overview');

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

/** Finds the endpoint of a path; the parameter is decoded by decodeParameter, later in the order of checks. */
export function findRoute(path: string): Route | null {
  const fixed = FIXED.get(path);
  if (fixed) return { endpoint: fixed, parameter: '' };

  const slash = path.lastIndexOf('/') + 1;
  const endpoint = slash < path.length ? WITH_PARAMETER.get(path.slice(0, slash)) : undefined;
  return endpoint ? { endpoint, parameter: path.slice(slash) } : null;
}

/** @throws ApiError 400 */
export function decodeParameter(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw badRequest('The path has broken percent-encoding. Encode it as UTF-8, as encodeURIComponent does.');
  }
}

export function unknownPath(): Error {
  return notFound(`There is no such path. ${PREFIX} lists the endpoints.`);
}
