import { LRUCache } from 'lru-cache';
import type { Limits } from '../contract/policy.ts';
import type { Principal, QuotaCounter } from './home.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { peekRequest, type Tally, type Verdict, unlimitedVerdict } from './quota.ts';

/** Memory for the tallies of exhausted principals. */
const EXHAUSTED_BYTES = 4 * 2 ** 20;
const TALLY_BYTES = 200;
const ENTRY_BYTES = 16;

/** The answer of the place where all processes count. */
export interface CountResult {
  readonly verdict: Verdict;
  /** The tally, if refused: the caller can refuse further requests with it, without a call. */
  readonly tally: Tally | null;
}

/**
 * Counts in one place for several processes, with one call for each request. Exhausted principals are refused from memory,
 * since usage never falls: a flood of refused requests costs no calls.
 */
export abstract class CentralQuotaCounter implements QuotaCounter {
  readonly #exhausted = new LRUCache<string, Tally>({
    maxSize: EXHAUSTED_BYTES,
    sizeCalculation: ({ times }) => TALLY_BYTES + ENTRY_BYTES * times.length,
  });

  /** Milliseconds since 1970. */
  protected abstract now(): number;

  /** Counts one request there. */
  protected abstract callCount(principal: Principal, limits: Limits): Promise<CountResult>;

  /** A dry run of it. */
  protected abstract callPeek(principal: Principal, limits: Limits): Promise<CountResult>;

  /** @throws the error of the call: a request that may be uncounted is not answered */
  count(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const known = this.#known(principal, limits);
    // Few promises, since those of a batch are in memory together.
    return known ?? this.callCount(principal, limits).then((result) => this.#keep(principal, result));
  }

  /** @throws the same */
  peek(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const known = this.#known(principal, limits);
    return known ?? this.callPeek(principal, limits).then((result) => this.#keep(principal, result));
  }

  /** The verdict, if it needs no call. */
  #known(principal: Principal, limits: Limits): Verdict | undefined {
    const now = this.now();
    const free = unlimitedVerdict(principal, limits, now);
    if (free) return free;
    const tally = this.#exhausted.get(principal.id);
    const verdict = tally && peekRequest(tally, principal, limits, now);
    if (verdict?.refusedBy === null) this.#exhausted.delete(principal.id);
    return verdict?.refusedBy ? verdict : undefined;
  }

  #keep({ id }: Principal, { verdict, tally }: CountResult): Verdict {
    if (tally) this.#exhausted.set(id, tally);
    return verdict;
  }
}
