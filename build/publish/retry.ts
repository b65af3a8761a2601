/** How often and how long one waits for a service that is busy, broken, or out of reach. */
export interface RetryPolicy {
  /** Requests for one answer, the first among them. */
  readonly tries: number;
  /** The longest wait before the second request; it doubles with each further one. */
  readonly baseMs: number;
  readonly capMs: number;
}

export const RETRY_POLICY: RetryPolicy = { tries: 7, baseMs: 250, capMs: 20_000 };

/** A service that asks for a longer wait than this is not waited for. */
const LONGEST_WAIT_MS = 120_000;

/** Too many requests, a fault of the service, or two conditional writes that met (S3 answers these with 409). */
export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
}

/**
 * How long to wait before the next request: exponential back-off with full jitter, so that many that failed
 * at once do not come back at once, and never less than the service asks for.
 *
 * @param failures requests that failed so far, at least 1
 * @param retryAfter the service's header: seconds, or a date (RFC 9110, 10.2.3)
 * @param random from 0 to below 1
 * @returns milliseconds; undefined: try no more
 */
export function retryDelay(
  { tries, baseMs, capMs }: RetryPolicy,
  failures: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number,
): number | undefined {
  if (failures >= tries) return undefined;
  const asked = retryAfter === undefined ? 0 : askedDelay(retryAfter, now);
  if (asked > LONGEST_WAIT_MS) return undefined;
  const longest = Math.min(capMs, baseMs * 2 ** (failures - 1));
  return asked + random() * longest;
}

/** Milliseconds; 0 where the header cannot be understood. */
function askedDelay(retryAfter: string, now: Date): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
