/**
 * Usage by day, for the operator. Limits do not depend on it (the quota counter counts for them), so it may be written late, and
 * the last second may be lost.
 *
 * Stored: an account's name, a key's prefix, an endpoint and a status. Callers without a key are summed: no address, no
 * hash of one, no path and no search text is stored.
 */
import type { EndpointName } from '../contract/api.ts';
import type { Caller } from './caller.ts';

/** One kind of request. */
export interface UsageKind {
  /** The account's name; empty for callers without a valid key. */
  readonly account: string;
  /** The key's prefix; empty likewise. */
  readonly key: string;
  /** `other`: an unknown path under the prefix. */
  readonly endpoint: EndpointName | 'other';
  readonly status: number;
}

/** Records requests. A home has one, or none. */
export interface UsageRecorder {
  /** Records one answered request, now. On the hot path: it neither waits nor throws. */
  record(kind: UsageKind): void;
}

/**
 * The kind of a request.
 *
 * @param endpoint null: an unknown path
 */
export function usageKind({ key }: Caller, endpoint: EndpointName | null, status: number): UsageKind {
  return { account: key?.account ?? '', key: key?.prefix ?? '', endpoint: endpoint ?? 'other', status };
}
