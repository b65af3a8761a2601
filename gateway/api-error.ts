import type { Scope } from '../contract/api.ts';

/** Why a request is refused by rule. The client sees its status and message (interface, "Errors"). */
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
  /** On 401 and 403: what `WWW-Authenticate` says after scheme and realm (RFC 6750, 3). */
  readonly challenge?: string;
}

/** A refusal that ends whatever was done for the request. */
export class ApiError extends Error implements Refusal {
  override name = 'ApiError';
  readonly status: number;
  readonly details: RefusalDetails;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    // It answers a client, and nobody reads where it was made. To find that out took longer than the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.details = details;
  }
}

/** 500: what should not happen has happened; the operator is told. */
export const UNEXPECTED = new ApiError(500, 'Something went wrong on the server. Try again in a moment.');

/** 503: no snapshot could be read so far. */
export const NOT_READY = new ApiError(503, 'Nothing is published here yet. Try again in a moment.');

/** 408: what a home did not get in time. */
export const TOO_SLOW = new ApiError(408, 'The request did not come in time. Send it again.');

/** 400: a parameter is unreadable, or out of range on its face. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

/**
 * 401: the key is no key, or is revoked.
 *
 * @param error its code in RFC 6750, 3.1; null where no key was sent as a bearer token at all
 */
export function unauthorised(message: string, error: 'invalid_token' | 'invalid_request' | null): ApiError {
  return new ApiError(401, message, error === null ? {} : { challenge: `error="${error}"` });
}

/** 403: the key lacks a permission. */
export function forbidden(scope: Scope): ApiError {
  const challenge = `error="insufficient_scope", scope="${scope}"`;
  return new ApiError(403, `This key lacks the permission ${scope}.`, { challenge });
}
