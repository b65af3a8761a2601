/**
 * Who asked for what, by day: for the operator's eyes. It limits nobody (that is the quota counter's work), so
 * it may be written down late, and the last second of it may be lost.
 *
 * Kept are an account's name, a key's prefix, an endpoint and a status. Callers without a key are one sum:
 * neither an address nor anything made from one is kept, nor a path or what was searched for.
 */
import type { EndpointName } from '../contract/api.ts';
import type { Caller } from './caller.ts';

/** One kind of request. */
export interface UsageKind {
  /** The account's name; empty for callers without a valid key. */
  readonly account: string;
  /** The key's prefix; empty likewise. */
  readonly key: string;
  /** `other`: a path under the prefix that there is not. */
  readonly endpoint: EndpointName | 'other';
  readonly status: number;
}

/** Who writes down what was asked. A home has one, or none. */
export interface UsageRecorder {
  /** Notes one answered request, of this moment. It is on the way of every request: it neither waits nor throws. */
  record(kind: UsageKind): void;
}

/**
 * What kind of request it was.
 *
 * @param endpoint null: a path that there is not
 */
export function usageKind({ key }: Caller, endpoint: EndpointName | null, status: number): UsageKind {
  return { account: key?.account ?? '', key: key?.prefix ?? '', endpoint: endpoint ?? 'other', status };
}
