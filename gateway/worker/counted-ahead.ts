import { isSameLimit, isUnlimited, type Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { mayLease, type Verdict } from '../quota.ts';

/** Limits by which a request may be counted before those of its snapshot are known. */
export interface LastLimits {
  readonly limits: Limits;
  /** Another isolate of the location has stored them: they may be those of any earlier snapshot. */
  readonly areStored?: boolean;
}

interface Ahead {
  readonly by: Limits;
  readonly verdict: Verdict;
}

/** The counter of one request. */
export interface CountedAhead extends QuotaCounter {
  /** Starts to count by the last known limits, if any. @param isCounted false: a dry run */
  start(principal: Principal, isCounted: boolean): void;
}

/**
 * Counts one request while its snapshot is still being read: a Durable Object takes as long as the pointer. The verdict is
 * corrected if the snapshot has other limits.
 *
 * @param lastLimits undefined: none are known, and nothing is counted ahead
 */
export function countedAhead(
  quotas: QuotaCounter,
  lastLimits: MaybePromise<LastLimits | undefined>,
): CountedAhead {
  let ahead: MaybePromise<Ahead | undefined>;

  function begin(how: 'count' | 'peek', principal: Principal, last: LastLimits | undefined) {
    // By stored limits of long ago, a lease could count requests that nobody sends.
    if (!last || (last.areStored && mayLease(last.limits, principal))) return undefined;
    return andThen(quotas[how](principal, last.limits), (verdict) => ({ by: last.limits, verdict }));
  }

  /** Never counts twice: under lower limits, the last request that they allow may then be refused. */
  function corrected(how: 'count' | 'peek', principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const { plan } = principal;
    return andThen(ahead, (known) => {
      if (!known) return quotas[how](principal, limits);
      const { by, verdict } = known;
      if (isSameLimit(by, limits, plan)) return verdict;
      const wasCounted = verdict.refusedBy === null && !isUnlimited(by, plan);
      return quotas[wasCounted ? 'peek' : how](principal, limits);
    });
  }

  return {
    start(principal, isCounted) {
      ahead = andThen(lastLimits, (last) => begin(isCounted ? 'count' : 'peek', principal, last));
      if (ahead instanceof Promise) ahead.catch(() => undefined); // Reading the snapshot may fail first.
    },
    count: (principal, limits) => corrected('count', principal, limits),
    peek: (principal, limits) => corrected('peek', principal, limits),
  };
}
