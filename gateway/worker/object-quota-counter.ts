import type { DurableObjectNamespace, DurableObjectStub } from '@cloudflare/workers-types';
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../contract/policy.ts';
import type { Principal, QuotaCounter } from '../home.ts';
import { peekRequest, type Tally, type Verdict, withoutLimits } from '../quota.ts';
import type { Soon } from '../soon.ts';
import type { QuotaObject, Ruling } from './quota-object.ts';
import { withDeadline } from '../fetch/deadline.ts';
import { twice } from '../fetch/retry.ts';

/** Memory for the tallies of principals that are exhausted. */
const EXHAUSTED_BYTES = 4 * 2 ** 20;
const TALLY_BYTES = 200;
const ENTRY_BYTES = 16;

/** How long a Durable Object may take, for each of two tries. It fails its own caller then, and nobody else. */
const ANSWER_MS = 3000;

/** What is asked, and the id of the request, which both tries have in common. */
type Question = (object: DurableObjectStub<QuotaObject>, request: string) => Promise<Ruling>;

/** A Durable Object did not answer in time. */
class NoVerdict extends Error {
  override name = 'NoVerdict';
  constructor() {
    super(
      `A Durable Object gave no answer within ${ANSWER_MS / 1000} seconds. If this continues, check Durable Objects at cloudflarestatus.com.`,
    );
  }
}

/**
 * Asks the Durable Object of a principal: one call a request. Who is exhausted is refused from memory until
 * its time comes, since nobody can use less: a flood of refused requests costs no call.
 */
export class ObjectQuotaCounter implements QuotaCounter {
  readonly #objects: DurableObjectNamespace<QuotaObject>;
  readonly #exhausted = new LRUCache<string, Tally>({
    maxSize: EXHAUSTED_BYTES,
    sizeCalculation: ({ times }) => TALLY_BYTES + ENTRY_BYTES * times.length,
  });

  constructor(objects: DurableObjectNamespace<QuotaObject>) {
    this.#objects = objects;
  }

  /** @throws what the Durable Object throws twice: a request that may not have been counted is not answered */
  count(principal: Principal, limits: Limits): Soon<Verdict> {
    return this.#ask(principal, limits, (object, request) => object.count(principal.kind, limits, request));
  }

  /** Likewise. */
  peek(principal: Principal, limits: Limits): Soon<Verdict> {
    return this.#ask(principal, limits, (object) => object.peek(principal.kind, limits));
  }

  #ask(principal: Principal, limits: Limits, question: Question): Soon<Verdict> {
    const free = withoutLimits(principal, limits, Date.now());
    if (free) return free;
    const tally = this.#exhausted.get(principal.id);
    if (tally) {
      const verdict = peekRequest(tally, principal, limits, Date.now());
      if (verdict.refusedBy !== null) return verdict;
      this.#exhausted.delete(principal.id);
    }
    return this.#call(principal.id, question);
  }

  async #call(id: string, question: Question): Promise<Verdict> {
    const request = newId();
    // A stub that threw is broken, so each try takes another.
    const call = async () => question(this.#objects.get(this.#objects.idFromName(id)), request);
    const { verdict, tally } = await twice(
      () => withDeadline(ANSWER_MS, call(), () => new NoVerdict()),
      (error) => !(error instanceof Error && 'overloaded' in error && error.overloaded === true),
    );
    if (tally) this.#exhausted.set(id, tally);
    return verdict;
  }
}

/** 64 random bits: what tells requests of ten minutes apart. */
function newId(): string {
  return (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n).toString(36);
}
