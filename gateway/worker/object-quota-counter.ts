import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Limits } from '../../contract/policy.ts';
import { DeadlineExceeded, withDeadline } from '../deadline.ts';
import type { Principal } from '../home.ts';
import { LeasingQuotaCounter, type Ruling } from '../leasing-quota-counter.ts';
import type { LeaseRequest } from '../quota.ts';
import type { QuotaObjects } from './environment.ts';
import type { QuotaObject } from './quota-object.ts';
import { retryOnce } from '../fetch/retry-once.ts';

/** The deadline of a Durable Object, for each of two attempts. Only its own callers fail. */
const ANSWER_MS = 3000;

/** A call. Both attempts use the same request id. */
type Call = (object: DurableObjectStub<QuotaObject>, request: string) => Promise<Ruling>;

const noVerdict = () =>
  new DeadlineExceeded(
    `A Durable Object gave no answer within ${ANSWER_MS / 1000} seconds. If this continues, check Durable Objects at cloudflarestatus.com.`,
  );

/** Counts by calling the principal's Durable Object. */
export class ObjectQuotaCounter extends LeasingQuotaCounter {
  readonly #objectOf: QuotaObjects;

  constructor(objectOf: QuotaObjects) {
    super();
    this.#objectOf = objectOf;
  }

  protected now(): number {
    return Date.now();
  }

  protected leaseNow(): number {
    return Date.now();
  }

  /** @throws the Durable Object's error after a retry */
  protected callCount({ id, plan }: Principal, limits: Limits, lease?: LeaseRequest): Promise<Ruling> {
    const once = [lease];
    return this.#call(id, (object, request) => object.count(plan, limits, request, once.pop()));
  }

  protected callPeek({ id, plan }: Principal, limits: Limits): Promise<Ruling> {
    return this.#call(id, (object) => object.peek(plan, limits));
  }

  protected settled(call: Promise<void>): Promise<void> {
    return withDeadline(ANSWER_MS, call, noVerdict);
  }

  #call(id: string, call: Call): Promise<Ruling> {
    const request = newId();
    // A stub that threw is broken, so each attempt gets a new one.
    const attempt = async () => call(this.#objectOf(id), request);
    return retryOnce(
      () => withDeadline(ANSWER_MS, attempt(), noVerdict),
      (error) => !(error instanceof Error && 'overloaded' in error && error.overloaded === true),
    );
  }
}

/** 64 random bits: unique among the requests of ten minutes. */
function newId(): string {
  return (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n).toString(36);
}
