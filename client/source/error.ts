/** What an OffprintError is made of. */
interface Details {
  readonly reasons?: Record<string, string[]>;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** A request without an answer: the API refused it, or could not be reached. */
export class OffprintError extends Error {
  override readonly name = 'OffprintError';
  /** The status of the reply; 0: there was none. */
  readonly status: number;
  /** On 422, what is wrong with each parameter; else empty. */
  readonly reasons: Record<string, string[]>;
  /** On 429, seconds until the next request can succeed; null where the reply does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, { reasons = {}, retryAfter = null, cause }: Details = {}) {
    super(message, { cause });
    this.status = status;
    this.reasons = reasons;
    this.retryAfter = retryAfter;
  }
}
