/** Details of an OffprintError. */
interface Details {
  readonly reasons?: Record<string, string[]> | undefined;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** A request without an answer: the API refused it, or could not be reached. */
export class OffprintError extends Error {
  override readonly name = 'OffprintError';
  /** The status of the reply; 0: no reply. */
  readonly status: number;
  /** On 422, the error of each parameter; else empty. */
  readonly reasons: Record<string, string[]>;
  /** On 429, seconds until the next request can succeed; null if the reply does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, { reasons = {}, retryAfter = null, cause }: Details = {}) {
    super(message, { cause });
    this.status = status;
    this.reasons = reasons;
    this.retryAfter = retryAfter;
  }
}
