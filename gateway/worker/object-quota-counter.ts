import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Limits } from '../../contract/policy.ts';
import { CentralQuotaCounter, type CountResult } from '../central-quota-counter.ts';
import { withDeadline } from '../deadline.ts';
import type { Principal } from '../home.ts';
import type { QuotaObjects } from './environment.ts';
import type { BurstCountResult, QuotaObject } from './quota-object.ts';
import { retryOnce } from '../fetch/retry-once.ts';
import { SETTLE_MS } from './burst.ts';
import { waitUntilSettled } from './sharing.ts';

/** The deadline of a Durable Object, for each of two attempts. Only its own callers fail. */
const ANSWER_MS = 3000;

/** A call. Both attempts use the same request id. */
type Call<T> = (object: DurableObjectStub<QuotaObject>, request: string) => Promise<T>;

/** An isolate asks this often, at most. */
const SETTLE_TRIES = 3;

const NO_VERDICT = `A Durable Object did not answer within ${ANSWER_MS / 1000} seconds. If this continues, check Durable Objects at cloudflarestatus.com.`;

/** Counts by calling the principal's Durable Object. */
export class ObjectQuotaCounter extends CentralQuotaCounter {
  readonly #getObject: QuotaObjects;
  /** The last answer of each principal whose burst has requests counted ahead. */
  readonly #unsettled = new Map<string, CountResult>();

  constructor(getObject: QuotaObjects) {
    super();
    this.#getObject = getObject;
  }

  protected now(): number {
    return Date.now();
  }

  /** @throws the Durable Object's error after a retry */
  protected async callCount({ id, plan }: Principal, limits: Limits): Promise<CountResult> {
    const count: Call<BurstCountResult> = (object, request) => object.count(plan, limits, request);
    const result = await this.#call(id, count);
    // Answers may overtake each other: only the latest count tells.
    const noted = this.#unsettled.get(id);
    if (noted && !isLater(result, noted)) return result;
    if (result.isUnsettled) void waitUntilSettled(this.#settle(id, result));
    else this.#unsettled.delete(id);
    return result;
  }

  protected callPeek({ id, plan }: Principal, limits: Limits): Promise<CountResult> {
    return this.#call(id, (object) => object.peek(plan, limits));
  }

  /** Asks for the exact count to be stored, unless further requests come. */
  async #settle(id: string, result: CountResult): Promise<void> {
    this.#unsettled.set(id, result);
    for (let tries = 0; tries < SETTLE_TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if (this.#unsettled.get(id) !== result) return;
      // False, unless a request was counted meanwhile whose answer did not arrive here.
      if (!(await this.#call(id, (object) => object.settle()))) break;
    }
    if (this.#unsettled.get(id) === result) this.#unsettled.delete(id);
  }

  #call<T>(id: string, call: Call<T>): Promise<T> {
    const request = newId();
    // A stub that threw is broken, so each attempt gets a new one.
    const attempt = async () => call(this.#getObject(id), request);
    return retryOnce(
      () => withDeadline(ANSWER_MS, attempt(), NO_VERDICT),
      (error) => !(error instanceof Error && 'overloaded' in error && error.overloaded === true),
    );
  }
}

/** Whether a count came after another one of the same caller. */
function isLater({ verdict: one }: CountResult, { verdict: other }: CountResult): boolean {
  return one.reset > other.reset || (one.reset === other.reset && one.used > other.used);
}

/** 64 random bits: unique among the requests of ten minutes. */
function newId(): string {
  return (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n).toString(36);
}
