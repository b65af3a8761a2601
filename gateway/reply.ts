/** Makes replies: statuses, headers, the envelope of an error. */
import { NO_LIMIT } from '../contract/policy.ts';
import { type Answer, encodeBody } from './answer.ts';
import type { Refusal } from './api-error.ts';
import { failsIfMatch, isUnmodified } from './conditional.ts';
import { decimal } from './decimal.ts';
import type { GatewayRequest } from './home.ts';
import type { Verdict } from './quota.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

type Representation = Pick<Answer, 'body' | 'etag'>;

/** A reply, independent of the platform. */
export interface Reply {
  readonly status: number;
  /** Names and values in turn. The reply's own list. */
  readonly headers: string[];
  /** Null: none. Homes leave it out for HEAD. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The body of a 200 to GET; on 200, 304 and 412. Homes may encode it. */
  readonly representation?: Representation;
}

/** The methods of every path. */
export const METHODS = 'GET, HEAD, OPTIONS';

const EXPOSED =
  'X-Quota-Limit, X-Quota-Used, X-Quota-Remaining, X-Quota-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, ' +
  'Link, X-Snapshot, Allow, WWW-Authenticate';

/** On every reply: readable from any origin; no content sniffing. */
const COMMON = [
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED],
  ...['X-Content-Type-Options', 'nosniff', 'Vary', 'Authorization, X-Api-Key, Accept-Encoding'],
];
const JSON_TYPE = 'application/json; charset=utf-8';
const PRIVATE = ['Cache-Control', 'private, max-age=60'];
/** For answers that are the same for all callers without a key: any cache may keep them. */
export const PUBLIC = ['Cache-Control', 'public, max-age=60, s-maxage=60'] as const;
const NO_STORE = ['Cache-Control', 'no-store'];

/**
 * 200; 301 if the answer is elsewhere; 412 if the client wants another version; 304 if it has this one (RFC 9110, 13.2.2).
 *
 * @param isShared whether the answer is the same for all callers without a key, its headers too
 * @param snapshot of the answer: its id and directory
 */
export function answered(
  request: Pick<GatewayRequest, 'header'>,
  answer: Answer,
  verdict: Verdict,
  isShared: boolean,
  { id, directory }: Pick<Snapshot, 'id' | 'directory'>,
): Reply {
  const { body, etag, link, location } = answer;
  if (location !== undefined) {
    const target = withAddress(`<${location}>`, directory.site.api_url).slice(1, -1);
    const headers = [...COMMON, ...PRIVATE, ...quotaHeaders(verdict), 'X-Snapshot', id, 'Location', target];
    headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(body.length));
    return { status: 301, headers, body };
  }
  if (failsIfMatch(request.header('if-match'), etag)) {
    const { headers, ...reply } = refused(CHANGED, verdict);
    return {
      ...reply,
      headers: etag === null ? headers : [...headers, 'ETag', etag],
      representation: answer,
    };
  }
  const headers = [
    ...COMMON,
    ...(etag === null ? NO_STORE : isShared ? PUBLIC : PRIVATE),
    ...quotaHeaders(verdict),
    ...['X-Snapshot', id],
  ];
  if (link !== null) headers.push('Link', withAddress(link, directory.site.api_url));
  return represented(request, answer, JSON_TYPE, headers);
}

/** 200 with a representation, or 304. @param headers is appended to */
export function represented(
  request: Pick<GatewayRequest, 'header'>,
  representation: Representation,
  type: string,
  headers: string[],
): Reply {
  const { body, etag } = representation;
  if (etag !== null) headers.push('ETag', etag);
  if (etag !== null && isUnmodified(request.header('if-none-match'), etag))
    return { status: 304, headers, body: null, representation };
  headers.push('Content-Type', type, 'Content-Length', String(body.length));
  return { status: 200, headers, body, representation };
}

/** Makes the targets of a `Link` header absolute if the public address is known. */
function withAddress(link: string, apiUrl: string | undefined): string {
  return apiUrl === undefined ? link : link.replaceAll('</', `<${apiUrl}/`);
}

const CHANGED = {
  status: 412,
  message: 'The current version is not the one in If-Match. Omit If-Match to read it.',
};

/** An error in the envelope. @param verdict null: the quota is unknown */
export function refused(error: Refusal, verdict: Verdict | null): Reply {
  const { status, message, details: { errors, allow, challenge, retryAfter: wait } = {} } = error;
  const body = errors
    ? encodeBody(JSON.stringify({ success: false, message, errors }))
    : encodeError(message);
  const headers = [...COMMON, ...NO_STORE, 'Content-Type', JSON_TYPE, 'Content-Length', String(body.length)];
  if (verdict) headers.push(...quotaHeaders(verdict));
  if (status === 429 && verdict) headers.push('Retry-After', String(retryAfter(verdict)));
  if (wait !== undefined) headers.push('Retry-After', String(wait));
  if (challenge !== undefined) headers.push('WWW-Authenticate', `Bearer realm="Offprint", ${challenge}`);
  if (allow !== undefined) headers.push('Allow', allow);
  return { status, headers, body };
}

/** The last error's body. Refusals come in floods of the same: 1.5 µs less for each. */
let last = { message: '', body: encodeBody('') };

function encodeError(message: string): Representation['body'] {
  if (message !== last.message)
    last = { message, body: encodeBody(JSON.stringify({ success: false, message })) };
  return last.body;
}

/**
 * 204 to a CORS preflight (Fetch Standard, "CORS-preflight fetch"). Any header may be sent: without credentials none
 * opens anything, and what is not known is ignored. `*` does not stand for Authorization; old browsers read only names.
 */
export function preflight(verdict: Verdict): Reply {
  const headers = [
    ...COMMON,
    ...quotaHeaders(verdict),
    ...['Access-Control-Allow-Methods', METHODS],
    ...['Access-Control-Allow-Headers', 'Authorization, X-Api-Key, If-Match, If-None-Match, *'],
    ...['Access-Control-Max-Age', '86400', 'Allow', METHODS],
  ];
  return { status: 204, headers, body: null };
}

/** Whole seconds until a refused caller may try again. */
export function retryAfter(verdict: Verdict): number {
  return verdict.refusedBy === 'minute' ? verdict.minuteResetIn : verdict.resetIn;
}

/** The interface's own four headers, and those of draft-ietf-httpapi-ratelimit-headers-10. */
function quotaHeaders(verdict: Verdict): string[] {
  const { limit, used, remaining, reset, resetIn, minuteLimit, minuteRemaining, minuteResetIn } = verdict;
  const left = decimal(remaining);
  const headers = ['X-Quota-Limit', String(limit), 'X-Quota-Used', decimal(used)];
  headers.push('X-Quota-Remaining', left, 'X-Quota-Reset', String(reset));
  // Unlimited: no policy.
  const [isDaily, isMinutely] = [limit !== NO_LIMIT, minuteLimit !== NO_LIMIT];
  if (!isDaily && !isMinutely) return headers;
  const between = isDaily && isMinutely ? ', ' : '';
  const policy = isDaily ? `"daily";q=${limit};w=86400${between}` : '';
  const rate = isDaily ? `"daily";r=${left};t=${resetIn}${between}` : '';
  const minutePolicy = isMinutely ? `"minute";q=${minuteLimit};w=60` : '';
  const minuteRate = isMinutely ? `"minute";r=${decimal(minuteRemaining)};t=${minuteResetIn}` : '';
  headers.push('RateLimit-Policy', policy + minutePolicy, 'RateLimit', rate + minuteRate);
  return headers;
}
