import type { DurableObjectStub } from '@cloudflare/workers-types';
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { LeaseHolder } from '../lease-holder.ts';
import { mayLease, peekRequest, type Tally, type Verdict, unlimitedVerdict } from '../quota.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { QuotaObjects } from './environment.ts';
import type { QuotaObject, Ruling } from './quota-object.ts';
import { DeadlineExceeded, retryOnce, withDeadline } from '../fetch/retry-once.ts';

/** Memory for the tallies of exhausted principals. */
const EXHAUSTED_BYTES = 4 * 2 ** 20;
const TALLY_BYTES = 200;
const ENTRY_BYTES = 16;

/** Leases in memory. */
const LEASES = 5000;

/** The deadline of a Durable Object, for each of two attempts. Only its own callers fail. */
const ANSWER_MS = 3000;

/** A call. Both attempts use the same request id. */
type Call = (object: DurableObjectStub<QuotaObject>, request: string) => Promise<Ruling>;

const noVerdict = () =>
  new DeadlineExceeded(
    `A Durable Object gave no answer within ${ANSWER_MS / 1000} seconds. If this continues, check Durable Objects at cloudflarestatus.com.`,
  );

/**
 * Counts by calling the principal's Durable Object: one call for each request, or for several by leases above 10,000
 * requests a day. Exhausted principals are refused from memory, since usage never falls: a flood of refused requests costs
 * no calls.
 */
export class ObjectQuotaCounter implements QuotaCounter {
  readonly #objectOf: QuotaObjects;
  readonly #exhausted = new LRUCache<string, Tally>({
    maxSize: EXHAUSTED_BYTES,
    sizeCalculation: ({ times, leased }) =>
      TALLY_BYTES + ENTRY_BYTES * (times.length + (leased?.times.length ?? 0)),
  });
  readonly #leases = new LRUCache<string, LeaseHolder>({
    max: LEASES,
    memoMethod: () => new LeaseHolder(),
  });

  constructor(objectOf: QuotaObjects) {
    this.#objectOf = objectOf;
  }

  /** @throws the Durable Object's error after a retry: a request that may be uncounted is not answered */
  count(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const holder = mayLease(limits, principal) ? this.#leases.memo(principal.id) : undefined;
    return this.#known(principal, limits, holder) ?? this.#count(principal, limits, holder);
  }

  /** @throws the same */
  peek(principal: Principal, limits: Limits): MaybePromise<Verdict> {
    const known = this.#leases.peek(principal.id)?.look(principal, limits, Date.now());
    const verdict = known ?? this.#known(principal, limits);
    if (verdict) return verdict;
    return this.#call(principal.id, (object) => object.peek(principal.plan, limits)).then(
      ({ verdict }) => verdict,
    );
  }

  async #count(principal: Principal, limits: Limits, holder?: LeaseHolder): Promise<Verdict> {
    const { id, plan } = principal;
    if (holder?.pending) {
      // The pending lease may cover this request too.
      await withDeadline(ANSWER_MS, holder.pending, noVerdict).catch(() => (holder.pending = undefined));
      const known = this.#known(principal, limits, holder);
      if (known) return known;
    }
    const requestedAt = Date.now();
    const leaseRequest = holder?.request(requestedAt);
    const once = [leaseRequest];
    const ruling = this.#call(id, (object, request) => object.count(plan, limits, request, once.pop()));
    if (holder && leaseRequest) {
      holder.pending = ruling
        .then(({ verdict, lease }) => holder.take({ plan, limits, requestedAt }, verdict, lease))
        .catch(() => undefined)
        .finally(() => (holder.pending = undefined));
    }
    return (await ruling).verdict;
  }

  /** The verdict, if it needs no call. */
  #known(principal: Principal, limits: Limits, holder?: LeaseHolder): Verdict | undefined {
    const now = Date.now();
    const known = unlimitedVerdict(principal, limits, now) ?? holder?.use(principal, limits, now);
    if (known) return known;
    const tally = this.#exhausted.get(principal.id);
    const verdict = tally && peekRequest(tally, principal, limits, now);
    if (verdict?.refusedBy === null) this.#exhausted.delete(principal.id);
    return verdict?.refusedBy ? verdict : undefined;
  }

  async #call(id: string, call: Call): Promise<Ruling> {
    const request = newId();
    // A stub that threw is broken, so each attempt gets a new one.
    const attempt = async () => call(this.#objectOf(id), request);
    const ruling = await retryOnce(
      () => withDeadline(ANSWER_MS, attempt(), noVerdict),
      (error) => !(error instanceof Error && 'overloaded' in error && error.overloaded === true),
    );
    if (ruling.tally) this.#exhausted.set(id, ruling.tally);
    return ruling;
  }
}

/** 64 random bits: unique among the requests of ten minutes. */
function newId(): string {
  return (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n).toString(36);
}
