import { type CallerKind, isSameLimit, type Limits } from '../contract/policy.ts';
import type { Principal } from './home.ts';
import { type Lease, LEASE_MS, type LeaseRequest, type Verdict } from './quota.ts';

/** A lease is for a burst of this many requests at least, with the one that asks for it. */
const BURST = 5;

/** Clocks at Cloudflare stand still while a request computes: so much before the end, a lease is over. */
const CLOCK_ERROR_MS = 1000;

interface Held {
  readonly kind: CallerKind;
  readonly limits: Limits;
  /** Before the lease was granted, so here it ends before it ends there. */
  readonly askedAt: number;
  /** Of the request with which it was asked for. */
  readonly verdict: Verdict;
  readonly lease: Lease;
  used: number;
}

/**
 * The lease that one isolate has for one principal. Its counts are used in order, each once. The next lease is for as
 * many requests as came with the last; for twice as many if these took less than ten seconds.
 *
 * Times are in milliseconds, by the isolate's clock. Only differences matter, so it need not agree with other clocks.
 */
export class LeaseHolder {
  /** Settles when a lease is there that was asked for, or is refused. Never rejects. */
  asking: Promise<void> | undefined;
  #held: Held | undefined;
  #askedAt = -Infinity;
  /** Requests since the last pause. */
  #requests = 0;

  /** Counts a request by the lease. Undefined: it has no count for it. */
  use(principal: Pick<Principal, 'kind'>, limits: Limits, now: number): Verdict | undefined {
    const held = this.#valid(principal, limits, now);
    if (!held || held.used === held.lease.count) return undefined;
    held.used += 1;
    this.#requests += 1;
    return verdictOf(held, now);
  }

  /** What the lease says so far. Undefined: there is none, or it is over. */
  look(principal: Pick<Principal, 'kind'>, limits: Limits, now: number): Verdict | undefined {
    const held = this.#valid(principal, limits, now);
    return held && verdictOf(held, now);
  }

  #valid({ kind }: Pick<Principal, 'kind'>, limits: Limits, now: number): Held | undefined {
    const held = this.#held;
    if (!held) return undefined;
    const passed = now - held.askedAt;
    const isOver = passed < -CLOCK_ERROR_MS || passed >= held.lease.lastsMs - CLOCK_ERROR_MS;
    return isOver || held.kind !== kind || !isSameLimit(held.limits, limits, kind) ? undefined : held;
  }

  /**
   * Ends the lease, and gives what to ask for with the next request; undefined while another is being asked for. It must
   * be sent once at most: a rest that is given back twice could be used twice.
   */
  ask(now: number): LeaseRequest | undefined {
    const isAfterPause = now - this.#askedAt >= LEASE_MS;
    const want = Math.max(BURST - 1, isAfterPause ? this.#requests - 1 : this.#requests);
    this.#requests = isAfterPause ? 1 : this.#requests + 1;
    if (this.asking) return undefined;
    this.#askedAt = now;
    const { lease, used = 0 } = this.#held ?? {};
    this.#held = undefined;
    return { want, rest: lease && { day: lease.day, count: lease.count - used } };
  }

  take(asker: Pick<Held, 'kind' | 'limits' | 'askedAt'>, verdict: Verdict, lease: Lease | undefined): void {
    this.#held = lease && { ...asker, verdict, lease, used: 0 };
  }
}

/** What was said with the lease, less what was used of it since. */
function verdictOf({ verdict, used, askedAt }: Held, now: number): Verdict {
  const seconds = Math.floor((now - askedAt) / 1000);
  return {
    ...verdict,
    used: verdict.used + used,
    remaining: verdict.remaining - used,
    resetIn: verdict.resetIn - seconds,
    minuteRemaining: verdict.minuteRemaining - used,
    minuteResetIn: Math.max(1, verdict.minuteResetIn - seconds),
  };
}
