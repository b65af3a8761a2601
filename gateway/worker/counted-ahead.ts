import { isSameLimit, isUnlimited, type Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Verdict } from '../quota.ts';

/**
 * The counter of one request, which counts while the snapshot is still being read: a Durable Object takes as long as the
 * pointer. It counts by the last known limits, and corrects the verdict if those of the snapshot differ.
 */
export class CountedAhead implements QuotaCounter {
  readonly #quotas: QuotaCounter;
  readonly #lastLimits: Limits | undefined;
  #ahead: MaybePromise<Verdict> | undefined;

  /** @param lastLimits undefined: none are known, and nothing is counted ahead */
  constructor(quotas: QuotaCounter, lastLimits: Limits | undefined) {
    this.#quotas = quotas;
    this.#lastLimits = lastLimits;
  }

  /** Starts to count. @param isCounted false: a dry run */
  start(principal: Principal, isCounted: boolean): void {
    if (!this.#lastLimits) return;
    this.#ahead = this.#quotas[isCounted ? 'count' : 'peek'](principal, this.#lastLimits);
    if (this.#ahead instanceof Promise) this.#ahead.catch(() => undefined); // Reading the snapshot may fail first.
  }

  count(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    return this.#corrected('count', principal, limits);
  }

  peek(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    return this.#corrected('peek', principal, limits);
  }

  /** Never counts twice: under lower limits, the last request that they allow may then be refused. */
  #corrected(how: 'count' | 'peek', principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const { kind } = principal;
    const [ahead, lastLimits] = [this.#ahead, this.#lastLimits];
    if (ahead === undefined || lastLimits === undefined) return this.#quotas[how](principal, limits);
    if (isSameLimit(lastLimits, limits, kind)) return ahead;
    return andThen(ahead, ({ refusedBy }) => {
      const wasCounted = refusedBy === null && !isUnlimited(lastLimits, kind);
      return this.#quotas[wasCounted ? 'peek' : how](principal, limits);
    });
  }
}
