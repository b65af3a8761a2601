import { isNumber, isText, listOf, oneOf, recordOf } from '../../contract/json.ts';

/** Returns what was called since the last query, and prepares the next request. */
export const TRACE_PATH = '/trace';

/** Assumed durations in milliseconds: of a read of the bucket, of a call of the Cache API, and of a Durable Object. */
export const DURATIONS = { bucket: 60, cache: 5, object: 60 } as const;

/** Parallel calls of the bucket and the Cache API by one request (Cloudflare: "simultaneous open connections"). */
export const CONNECTIONS = 6;

/** What is known before a request. */
export interface Circumstances {
  /** The isolate is kept; otherwise it is new. */
  readonly isWarm?: boolean;
  /** The location's cache is kept; otherwise it is empty. */
  readonly isKnown?: boolean;
  /** Milliseconds since the last request. */
  readonly later?: number;
}

export interface Call {
  readonly of: keyof typeof DURATIONS;
  /** Empty: of a Durable Object. */
  readonly key: string;
  /** From 1: one more than that of the last read of the bucket that had ended before. */
  readonly round: number;
  readonly bytes: number;
}

/** A request, by simulated time. */
export interface Trace {
  readonly ms: number;
  readonly calls: readonly Call[];
}

export const isTrace = recordOf<Trace>({
  ms: isNumber,
  calls: listOf(
    recordOf<Call>({
      of: oneOf(['bucket', 'cache', 'object']),
      key: isText,
      round: isNumber,
      bytes: isNumber,
    }),
  ),
});

/** The reads of the bucket. */
export function readsOf({ calls }: Trace): readonly Call[] {
  return calls.filter(({ of }) => of === 'bucket');
}

export function bytesOf(calls: readonly Call[]): number {
  return calls.reduce((sum, { bytes }) => sum + bytes, 0);
}
