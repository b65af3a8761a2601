import { ENDPOINTS, type EndpointName, PREFIX } from '../contract/api.ts';
import { containsKey } from '../contract/api-key.ts';
import { ApiError } from './api-error.ts';
import { decode, keyInUrl } from './query.ts';

/** `/posts` → endpoint; `/posts/` for endpoints with a path parameter. From the table of endpoints. */
const FIXED = new Map<string, EndpointName>();
const WITH_PARAMETER = new Map<string, EndpointName>();
for (const [name, { path }] of Object.entries(ENDPOINTS) as [EndpointName, { path: string }][]) {
  const open = path.indexOf('{');
  if (open === -1) FIXED.set(PREFIX + path, name);
  else WITH_PARAMETER.set(PREFIX + path.slice(0, open), name);
}

const BELOW_PREFIX = `${PREFIX}/`;

/** A parsed request target. */
export interface Target {
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
export function readTarget(target: string): Target {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const fixed = FIXED.get(bare);
  const slash = fixed ? bare.length : bare.lastIndexOf('/') + 1;
  const parameter = bare.slice(slash);
  return {
    query: mark === -1 ? '' : target.slice(mark + 1),
    isUnderPrefix: path.startsWith(BELOW_PREFIX) || path === PREFIX,
    endpoint: fixed ?? (parameter === '' ? null : (WITH_PARAMETER.get(bare.slice(0, slash)) ?? null)),
    parameter,
  };
}

/** @throws ApiError 400, also if it contains a key */
export function decodeParameter(parameter: string): string {
  const decoded = decode(parameter, 'path');
  if (containsKey(decoded)) throw keyInUrl();
  return decoded;
}

export function unknownPath(): ApiError {
  return new ApiError(404, `There is no such path. ${PREFIX} lists the endpoints.`);
}
