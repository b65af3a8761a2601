/** Why a request is refused by rule. The client sees its status and message (interface, "Errors"). */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** On 422: parameter → reasons. */
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** On 405: the methods that are allowed. */
  readonly allow?: string | undefined;
}

/** A refusal that ends whatever was done for the request. */
export class ApiError extends Error implements Refusal {
  override name = 'ApiError';
  readonly status: number;
  readonly errors: Refusal['errors'];
  readonly allow: Refusal['allow'];

  constructor(status: number, message: string, more: Pick<Refusal, 'errors' | 'allow'> = {}) {
    // It answers a client, and nobody reads where it was made. To find that out took longer than the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.errors = more.errors;
    this.allow = more.allow;
  }
}

/** 500: what should not happen has happened; the operator is told. */
export const UNEXPECTED = new ApiError(500, 'Something went wrong here. Try again in a moment.');

/** 503: no snapshot could be read so far. */
export const NOT_READY = new ApiError(503, 'Nothing is published here yet. Try again in a moment.');

/** 431: what a home's HTTP parser does not take. */
export const HEADERS_TOO_LARGE = new ApiError(
  431,
  'The request line and headers are too large. Shorten them.',
);

/** 400: a parameter is unreadable, or out of range on its face. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

/** 401: the key is no key, or is revoked. */
export function unauthorised(message: string): ApiError {
  return new ApiError(401, message);
}

/** 404: there is nothing of that name. */
export function notFound(message: string): ApiError {
  return new ApiError(404, message);
}
