/** How often to retry requests to a service that is busy, failing or unreachable, and how long to wait. */
export interface RetryPolicy {
  /** Requests for one answer, including the first. */
  readonly tries: number;
  /** The maximum wait before the second request; doubled before each further one. */
  readonly baseMs: number;
  readonly capMs: number;
}

export const RETRY_POLICY: RetryPolicy = { tries: 7, baseMs: 250, capMs: 20_000 };

/** If the service asks for a longer wait, the request fails at once. */
const MAX_WAIT_MS = 120_000;

/** Too many requests, an error of the service, or concurrent conditional writes (409 from S3). */
export function isWorthRetrying(status: number): boolean {
  return (
    status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501 && status !== 507)
  );
}

/**
 * How long to wait before the next request, at least `Retry-After`. Exponential back-off with full jitter: requests
 * that failed together are not retried together.
 *
 * @param failures failed requests so far, at least 1
 * @param retryAfter the service's header: seconds, or a date (RFC 9110, 10.2.3)
 * @param random returns a number in [0, 1)
 * @returns milliseconds; undefined: give up
 */
export function retryDelay(
  { tries, baseMs, capMs }: RetryPolicy,
  failures: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number,
): number | undefined {
  if (failures >= tries) return undefined;
  const asked = retryAfter === undefined ? 0 : parseRetryAfter(retryAfter, now);
  if (asked > MAX_WAIT_MS) return undefined;
  const longest = Math.min(capMs, baseMs * 2 ** (failures - 1));
  return asked + random() * longest;
}

/** Milliseconds; 0 if the header is invalid. */
function parseRetryAfter(retryAfter: string, now: Date): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
