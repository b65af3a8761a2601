import { isSameLimit, isUnlimited, type Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Verdict } from '../quota.ts';

/** The counter of one request. */
interface CountedAhead extends QuotaCounter {
  /** Starts to count by the last known limits, if any. @param isCounted false: a dry run */
  start(principal: Principal, isCounted: boolean): void;
}

/**
 * Counts one request while its snapshot is still being read: a Durable Object takes as long as the pointer. The verdict is
 * corrected if the snapshot has other limits.
 *
 * @param lastLimits those of the last snapshot; undefined: none is known, and nothing is counted ahead
 */
export function countedAhead(quotas: QuotaCounter, lastLimits: Limits | undefined): CountedAhead {
  let ahead: MaybePromise<Verdict> | undefined;

  /** Never counts twice: under lower limits, the last request that they allow may then be refused. */
  function corrected(how: 'count' | 'peek', principal: Principal, limits: Limits): MaybePromise<Verdict> {
    if (!lastLimits || !ahead) return quotas[how](principal, limits);
    const { plan } = principal;
    return andThen(ahead, (verdict) => {
      if (isSameLimit(lastLimits, limits, plan)) return verdict;
      const wasCounted = verdict.refusedBy === null && !isUnlimited(lastLimits, plan);
      return quotas[wasCounted ? 'peek' : how](principal, limits);
    });
  }

  return {
    start(principal, isCounted) {
      ahead = lastLimits && quotas[isCounted ? 'count' : 'peek'](principal, lastLimits);
      if (ahead instanceof Promise) ahead.catch(() => undefined); // Reading the snapshot may fail first.
    },
    count: (principal, limits) => corrected('count', principal, limits),
    peek: (principal, limits) => corrected('peek', principal, limits),
  };
}
