import { isWellFormedKey } from '../contract/api-key.ts';
import type { KeyRecord } from '../contract/key-record.ts';
import type { Scope } from '../contract/api.ts';
import { ApiError, unauthorised } from './api-error.ts';
import type { GatewayRequest, KeyStore, Principal } from './home.ts';
import { andThen, type Soon } from './soon.ts';

/** Who sends a request: with a key, without one, or with something that is none. */
export interface Caller {
  readonly principal: Principal;
  /** Null: without a key. */
  readonly key: KeyRecord | null;
  /** Why the key is refused; the request still counts, against the address. */
  readonly refusal: ApiError | null;
}

/** Tells who sends a request (interface, "Authentication"). */
export function identify(request: GatewayRequest, keys: KeyStore): Soon<Caller> {
  const presented = presentedKey(request);
  if (presented === null) return byAddress(request, null);
  if (presented instanceof ApiError) return byAddress(request, presented);
  if (!isWellFormedKey(presented)) return byAddress(request, INVALID);

  return andThen(keys.find(presented), (record) => {
    if (record === null) return byAddress(request, INVALID);
    if (record.revoked) return byAddress(request, REVOKED);
    const principal = { id: `account:${record.account}`, kind: record.role };
    return { principal, key: record, refusal: null };
  });
}

/** Whether the caller may use an endpoint of that permission. Without a key every endpoint is open. */
export function mayUse(caller: Caller, scope: Scope | null): boolean {
  return scope === null || caller.key === null || caller.key.scopes.includes(scope);
}

const INVALID = unauthorised('This API key is not valid. Check it for missing characters, or use another.');
const REVOKED = unauthorised('This API key was revoked. Use another.');
const AMBIGUOUS = unauthorised(
  'Authorization and X-Api-Key carry different keys. Send one of the two, or the same key in both.',
);
const NOT_BEARER = unauthorised('The Authorization header is not of the form "Bearer <API_KEY>".');

const BEARER = /^bearer +(\S+) *$/i;

/** The key of a request; null where it has none; an error where it cannot be told. */
function presentedKey(request: GatewayRequest): string | ApiError | null {
  const authorization = request.header('authorization');
  const header = request.header('x-api-key')?.trim();
  if (authorization === undefined) return header ?? null;

  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined) return NOT_BEARER;
  return header === undefined || header === bearer ? bearer : AMBIGUOUS;
}

function byAddress(request: GatewayRequest, refusal: ApiError | null): Soon<Caller> {
  return andThen(request.addressId(), (id) => ({ principal: { id, kind: 'address' }, key: null, refusal }));
}
