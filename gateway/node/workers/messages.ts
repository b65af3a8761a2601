/**
 * What the processes of one gateway say to each other. A worker asks the primary to count, many requests in one
 * message; the primary answers when the counts are in the database, and then the worker may ask again.
 */
import type { CallerKind, Limits } from '../../../contract/policy.ts';
import type { Verdict } from '../../quota.ts';

export interface CountBatch {
  readonly type: 'count';
  /** Null: those of the message before. */
  readonly limits: Limits | null;
  /** Whom each request is counted against, and whether it is: 0 only asks. */
  readonly requests: readonly (readonly [id: string, kind: CallerKind, counts: 0 | 1])[];
}

/** What is served, as a worker tells it. */
export interface Served {
  readonly url: string;
  readonly snapshot: string;
  readonly posts: number;
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'serving'; readonly served: Served }
  | { readonly type: 'cannot serve'; readonly message: string }
  | CountBatch;

export type FromPrimary =
  /** @param secret the key of hashed addresses, in base64 */
  | { readonly type: 'begin'; readonly secret: string }
  /** @param verdicts as packVerdict gives them, one behind the other */
  | { readonly type: 'counted'; readonly verdicts: readonly number[] }
  | { readonly type: 'not counted'; readonly message: string }
  | { readonly type: 'stop' };

const REFUSALS = [null, 'daily', 'minute'] as const;
/** Numbers that a verdict is packed in. A third of a request's cost was the writing and reading of their names. */
const PACKED = 8;

/** @param verdict null: there is none, and the request must be refused */
export function packVerdict(verdict: Verdict | null, into: number[]): void {
  if (verdict === null) {
    into.push(-1, ...new Array<number>(PACKED - 1).fill(0));
    return;
  }
  const { refusedBy, limit, used, reset, resetIn, minuteLimit, minuteRemaining, minuteResetIn } = verdict;
  into.push(REFUSALS.indexOf(refusedBy), limit, used, reset, resetIn);
  into.push(minuteLimit, minuteRemaining, minuteResetIn);
}

export function unpackVerdicts(packed: readonly number[]): (Verdict | null)[] {
  const verdicts: (Verdict | null)[] = [];
  for (let i = 0; i + PACKED <= packed.length; i += PACKED) {
    const [refusal = 0, limit = 0, used = 0, reset = 0, resetIn = 0, ...minute] = packed.slice(i, i + PACKED);
    const [minuteLimit = 0, minuteRemaining = 0, minuteResetIn = 0] = minute;
    if (refusal === -1) {
      verdicts.push(null);
      continue;
    }
    const remaining = Math.max(0, limit - used);
    const daily = { refusedBy: REFUSALS[refusal] ?? null, limit, used, remaining, reset, resetIn };
    verdicts.push({ ...daily, minuteLimit, minuteRemaining, minuteResetIn });
  }
  return verdicts;
}
