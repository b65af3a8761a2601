import type { KeyRecord } from '../contract/key-record.ts';
import { ApiError, unauthorised } from './api-error.ts';
import type { GatewayRequest, KeyStore, Principal } from './home.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** The sender of a request: with a key, without one, or with an invalid one. */
export interface Caller {
  readonly principal: Principal;
  /** Null: without a key. */
  readonly key: KeyRecord | null;
  /** Why the key is refused; the request still counts, against the address. */
  readonly refusal: ApiError | null;
}

/** Identifies the sender of a request (interface, "Authentication"). */
export function identify(request: GatewayRequest, keys: KeyStore): MaybePromise<Caller> {
  const presented = presentedKey(request);
  if (presented === null || presented instanceof ApiError) return byAddress(request, presented);
  return andThen(keys.find(presented), (record) => {
    if (record === null) return byAddress(request, INVALID);
    if (record.revoked) return byAddress(request, REVOKED);
    if (record.expires !== undefined && keys.now() >= record.expires)
      return byAddress(request, expired(record.expires));
    const principal = { id: `account:${record.account}`, plan: record.plan };
    return { principal, key: record, refusal: null };
  });
}

const INVALID = unauthorised(
  'This API key is not valid. Check it for missing characters, or use another.',
  'invalid_token',
);
const REVOKED = unauthorised('This API key was revoked. Use another key.', 'invalid_token');

function expired(since: number): ApiError {
  const when = new Date(since).toISOString().replace('.000', '');
  return unauthorised(
    `This API key expired at ${when}. Use another key.`,
    'invalid_token',
    `expired at ${when}`,
  );
}

// RFC 6750, 3.1, would answer these two with 400. The interface has no 400 for keys, so the status is 401.
const AMBIGUOUS = unauthorised(
  'The request carries several keys. Send one key, in Authorization or in X-Api-Key.',
  'invalid_request',
);
const NO_TOKEN = unauthorised(
  'The Authorization header is not of the form "Bearer <API_KEY>".',
  'invalid_request',
);

const BEARER = /^bearer +([^\s,]+)$/i;
/** A bearer token, or a key without its scheme. */
const IS_MEANT = /^bearer(?: |$)|opk_/i;

/**
 * The key of a request; null: none; an error if it is ambiguous. Repeated header lines are joined by commas
 * (RFC 9110, 5.3), and no key contains a comma. Empty values and other schemes, such as the Basic of a proxy in front, are no keys.
 */
function presentedKey(request: GatewayRequest): string | ApiError | null {
  const authorization = request.header('authorization');
  const header = request.header('x-api-key');
  if (authorization === undefined && header === undefined) return null;
  // The usual request, without the lists below: 0.3 µs.
  const only = header === undefined ? BEARER.exec(authorization ?? '')?.[1] : undefined;
  if (only !== undefined) return only;
  const keys = new Set<string>();
  const [authorizations, headers] = [splitHeader(authorization), splitHeader(header)];
  if (authorizations.length > VALUES_MAX || headers.length > VALUES_MAX) return AMBIGUOUS;
  for (const value of authorizations) {
    const bearer = BEARER.exec(value)?.[1];
    if (bearer !== undefined) keys.add(bearer);
    else if (IS_MEANT.test(value)) return NO_TOKEN;
  }
  for (const value of headers) if (value !== '') keys.add(value);
  if (keys.size > 1) return AMBIGUOUS;
  const [key = null] = keys;
  return key;
}

/** No more values of a header are read: that many are not one key. */
const VALUES_MAX = 16;

/** The values of a header, one for each line; of a longer list, VALUES_MAX and one more. */
function splitHeader(header: string | undefined): readonly string[] {
  return header?.split(',', VALUES_MAX + 1).map((value) => value.trim()) ?? [];
}

function byAddress(request: GatewayRequest, refusal: ApiError | null): MaybePromise<Caller> {
  return andThen(request.addressId(), (id) => ({ principal: { id, plan: 'address' }, key: null, refusal }));
}
