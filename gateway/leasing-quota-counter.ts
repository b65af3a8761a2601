import { LRUCache } from 'lru-cache';
import type { Limits } from '../contract/policy.ts';
import type { Principal, QuotaCounter } from './home.ts';
import { LeaseHolder } from './lease-holder.ts';
import type { MaybePromise } from './maybe-promise.ts';
import {
  type Lease,
  type LeaseRequest,
  mayLease,
  peekRequest,
  type Tally,
  type Verdict,
  unlimitedVerdict,
} from './quota.ts';

/** Memory for the tallies of exhausted principals. */
const EXHAUSTED_BYTES = 4 * 2 ** 20;
const TALLY_BYTES = 200;
const ENTRY_BYTES = 16;

/** Leases in memory. */
const LEASES = 5000;

/** The answer of the place where all processes count. */
export interface Ruling {
  readonly verdict: Verdict;
  /** The tally, if refused: the caller can refuse further requests with it, without a call. */
  readonly tally: Tally | null;
  readonly lease?: Lease | undefined;
  /** Whether requests are stored as counted that were not made; undefined: as before. */
  readonly isUnsettled?: boolean;
}

/**
 * Counts in one place for several processes: one call for each request, or for several by leases above 10,000 requests a
 * day. Exhausted principals are refused from memory, since usage never falls: a flood of refused requests costs no calls.
 */
export abstract class LeasingQuotaCounter implements QuotaCounter {
  readonly #exhausted = new LRUCache<string, Tally>({
    maxSize: EXHAUSTED_BYTES,
    sizeCalculation: ({ times, leased }) =>
      TALLY_BYTES + ENTRY_BYTES * (times.length + (leased?.times.length ?? 0)),
  });
  readonly #leases = new LRUCache<string, LeaseHolder>({
    max: LEASES,
    memoMethod: () => new LeaseHolder(),
  });

  /** Milliseconds since 1970. */
  protected abstract now(): number;

  /** Milliseconds by a clock whose differences are right. */
  protected abstract leaseNow(): number;

  /** Counts one request there. @param lease counted at most once, like the request */
  protected abstract callCount(principal: Principal, limits: Limits, lease?: LeaseRequest): Promise<Ruling>;

  /** A dry run. */
  protected abstract callPeek(principal: Principal, limits: Limits): Promise<Ruling>;

  /** Waits for a call of another request, with a deadline. @throws if it is over */
  protected abstract settled(call: Promise<void>, isOver: () => boolean): Promise<void>;

  /** @throws the error of the call: a request that may be uncounted is not answered */
  count(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const holder = mayLease(limits, principal) ? this.#leases.memo(principal.id) : undefined;
    const known = this.#known(principal, limits, holder);
    if (known) return known;
    if (holder) return this.#countAhead(principal, limits, holder);
    // The usual request: few promises, since those of a batch are in memory together.
    return this.callCount(principal, limits).then((ruling) => this.#keep(principal, ruling).verdict);
  }

  /** @throws the same */
  peek(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const known = this.#leases.peek(principal.id)?.look(principal, limits, this.leaseNow());
    const verdict = known ?? this.#known(principal, limits);
    if (verdict) return verdict;
    return this.callPeek(principal, limits).then((ruling) => this.#keep(principal, ruling).verdict);
  }

  async #countAhead(principal: Principal, limits: Limits, holder: LeaseHolder): Promise<Verdict> {
    const { pending } = holder;
    if (pending) {
      // The pending lease may cover this request too.
      await this.settled(pending, () => holder.pending !== pending).catch(() => (holder.pending = undefined));
      const known = this.#known(principal, limits, holder);
      if (known) return known;
    }
    const requestedAt = this.leaseNow();
    const request = holder.request(requestedAt);
    const ruling = this.callCount(principal, limits, request);
    if (request) {
      holder.pending = ruling
        .then(({ verdict, lease }) =>
          holder.take({ plan: principal.plan, limits, requestedAt }, verdict, lease),
        )
        .catch(() => undefined)
        .finally(() => (holder.pending = undefined));
    }
    return this.#keep(principal, await ruling).verdict;
  }

  /** The verdict, if it needs no call. */
  #known(principal: Principal, limits: Limits, holder?: LeaseHolder): Verdict | undefined {
    const now = this.now();
    const known = unlimitedVerdict(principal, limits, now) ?? holder?.use(principal, limits, this.leaseNow());
    if (known) return known;
    const tally = this.#exhausted.get(principal.id);
    const verdict = tally && peekRequest(tally, principal, limits, now);
    if (verdict?.refusedBy === null) this.#exhausted.delete(principal.id);
    return verdict?.refusedBy ? verdict : undefined;
  }

  #keep({ id }: Principal, ruling: Ruling): Ruling {
    if (ruling.tally) this.#exhausted.set(id, ruling.tally);
    return ruling;
  }
}
