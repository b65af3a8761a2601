import { isSameLimit, type Limits } from '../contract/policy.ts';
import { type Lease, LEASE_MS, type LeaseRequest, type OfPlan, type Verdict } from './quota.ts';

/** A lease covers at least this many requests, with the one that asks for it. */
const BURST = 5;

/** Clocks at Cloudflare stop while a request computes, so a lease ends this much early. */
const CLOCK_ERROR_MS = 1000;

interface Held {
  readonly plan: string;
  readonly limits: Limits;
  /** Before the lease was granted, so it ends here first. */
  readonly requestedAt: number;
  /** Of the request that asked for it. */
  readonly verdict: Verdict;
  readonly lease: Lease;
  used: number;
}

/**
 * The lease of one isolate for one principal. Each count is used once. The next lease covers as many requests as came
 * during the last one; twice as many if these took less than ten seconds.
 *
 * Times are in milliseconds by the isolate's clock. Only differences matter, so clocks need not agree.
 */
export class LeaseHolder {
  /** Settles when the requested lease is granted or refused. Never rejects. */
  pending: Promise<void> | undefined;
  #held: Held | undefined;
  #requestedAt = -Infinity;
  /** Requests since the last pause. */
  #requests = 0;

  /** Uses one count of the lease. Undefined: none is left. */
  use(principal: OfPlan, limits: Limits, now: number): Verdict | undefined {
    const held = this.#valid(principal, limits, now);
    if (!held || held.used === held.lease.count) return undefined;
    held.used += 1;
    this.#requests += 1;
    return verdictOf(held, now);
  }

  /** The verdict of the lease so far. Undefined: no lease, or it has ended. */
  look(principal: OfPlan, limits: Limits, now: number): Verdict | undefined {
    const held = this.#valid(principal, limits, now);
    return held && verdictOf(held, now);
  }

  #valid({ plan }: OfPlan, limits: Limits, now: number): Held | undefined {
    const held = this.#held;
    if (!held) return undefined;
    const passed = now - held.requestedAt;
    const isOver = passed < -CLOCK_ERROR_MS || passed >= held.lease.lastsMs - CLOCK_ERROR_MS;
    return isOver || held.plan !== plan || !isSameLimit(held.limits, limits, plan) ? undefined : held;
  }

  /**
   * Ends the lease and returns the request for the next one; undefined while one is in progress. Send it at most once: a
   * rest returned twice could be used twice.
   */
  request(now: number): LeaseRequest | undefined {
    const isAfterPause = now - this.#requestedAt >= LEASE_MS;
    const want = Math.max(BURST - 1, isAfterPause ? this.#requests - 1 : this.#requests);
    this.#requests = isAfterPause ? 1 : this.#requests + 1;
    if (this.pending) return undefined;
    this.#requestedAt = now;
    const { lease, used = 0 } = this.#held ?? {};
    this.#held = undefined;
    return { want, rest: lease && { day: lease.day, count: lease.count - used } };
  }

  take(request: Pick<Held, 'plan' | 'limits' | 'requestedAt'>, verdict: Verdict, lease?: Lease): void {
    this.#held = lease && { ...request, verdict, lease, used: 0 };
  }
}

/** The verdict that came with the lease, minus the counts used since. */
function verdictOf({ verdict, used, requestedAt }: Held, now: number): Verdict {
  const seconds = Math.floor((now - requestedAt) / 1000);
  return {
    ...verdict,
    used: verdict.used + used,
    remaining: verdict.remaining - used,
    resetIn: verdict.resetIn - seconds,
    minuteRemaining: verdict.minuteRemaining - used,
    minuteResetIn: Math.max(1, verdict.minuteResetIn - seconds),
  };
}
