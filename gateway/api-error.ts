import type { Scope } from '../contract/api.ts';

/** A refusal by rule. The client sees status and message (interface, "Errors"). */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly details?: RefusalDetails;
}

interface RefusalDetails {
  /** On 422: parameter → reasons. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** On 405: the methods that are allowed. */
  readonly allow?: string;
  /** On 401 and 403: `WWW-Authenticate` after scheme and realm (RFC 6750, 3). */
  readonly challenge?: string;
  /** On 503: `Retry-After`, in seconds. */
  readonly retryAfter?: number;
}

/** A refusal, thrown. */
export class ApiError extends Error implements Refusal {
  override name = 'ApiError';
  readonly status: number;
  readonly details: RefusalDetails;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    // Its stack trace is not used, and capturing one took longer than the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.details = details;
  }
}

/** 500: an unexpected error, which is reported to the operator. */
export const UNEXPECTED = new ApiError(500, 'Something went wrong on the server. Try again in a moment.');

/** 503: no snapshot has been read yet. */
export const NOT_READY = new ApiError(503, 'Nothing is published here yet. Try again in a moment.');

/** 503: the request needs a newer snapshot than the one that is served, and the pointer cannot be read. */
export const NOT_CURRENT = new ApiError(
  503,
  'The newest version of the blog cannot be read at the moment. Try again in a moment.',
  { retryAfter: 2 },
);

/** 408: the request did not arrive in time. */
export const TOO_SLOW = new ApiError(408, 'The request did not arrive in time. Send it again.');

/** 400: a parameter is malformed or out of range. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

/**
 * 401: the key is invalid, revoked or expired.
 *
 * @param error its code in RFC 6750, 3.1
 * @param description for developers (RFC 6750, 3), without quotes
 */
export function unauthorised(
  message: string,
  error: 'invalid_token' | 'invalid_request',
  description?: string,
): ApiError {
  const more = description === undefined ? '' : `, error_description="${description}"`;
  return new ApiError(401, message, { challenge: `error="${error}"${more}` });
}

/** 403: the key lacks a permission. */
export function forbidden(scope: Scope): ApiError {
  const challenge = `error="insufficient_scope", scope="${scope}"`;
  return new ApiError(403, `This key lacks the permission ${scope}.`, { challenge });
}
