import type { Limits } from '../../../contract/policy.ts';
import type { Principal } from '../../home.ts';
import type { Verdict } from '../../quota.ts';
import { addressId } from '../address-id.ts';
import type { DurableCounter } from '../durable-counter.ts';
import type { CountBatch } from './messages.ts';

/** The primary could not make sure of a count. */
export class NotCounted extends Error {
  override name = 'NotCounted';
}

interface Waiting {
  resolve(verdict: Verdict): void;
  reject(error: NotCounted): void;
}

/**
 * Counts in the primary process: all that is asked in one turn of the event loop goes there in one message.
 * A verdict comes back once its count is safe, so nothing is left to wait for.
 */
export class RemoteCounter implements DurableCounter {
  readonly #send: (batch: CountBatch) => void;
  readonly #secret: Uint8Array;
  readonly #underWay = new Map<number, readonly Waiting[]>();
  #requests: CountBatch['requests'][number][] = [];
  #waiting: Waiting[] = [];
  #limits: Limits | undefined;
  /** What the primary was told last. */
  #told: Limits | undefined;
  #batch = 0;

  constructor(send: (batch: CountBatch) => void, secret: Uint8Array) {
    this.#send = send;
    this.#secret = secret;
  }

  count(principal: Principal, limits: Limits): Promise<Verdict> {
    return this.#ask(principal, limits, 1);
  }

  peek(principal: Principal, limits: Limits): Promise<Verdict> {
    return this.#ask(principal, limits, 0);
  }

  whenSaved(callback: (error: unknown) => void): void {
    callback(undefined);
  }

  addressId(address: string): string {
    return addressId(address, this.#secret);
  }

  close(): void {
    this.notCounted([...this.#underWay.keys()], 'The gateway stops.');
  }

  /** The primary's answer. */
  counted(batch: number, verdicts: readonly Verdict[]): void {
    const waiting = this.#underWay.get(batch);
    this.#underWay.delete(batch);
    waiting?.forEach(({ resolve, reject }, i) => {
      const verdict = verdicts[i];
      if (verdict) resolve(verdict);
      else reject(new NotCounted('The primary gave too few verdicts.'));
    });
  }

  notCounted(batches: readonly number[], message: string): void {
    for (const batch of batches) {
      for (const { reject } of this.#underWay.get(batch) ?? []) reject(new NotCounted(message));
      this.#underWay.delete(batch);
    }
  }

  #ask({ id, kind }: Principal, limits: Limits, counts: 0 | 1): Promise<Verdict> {
    // Another snapshot may bring other limits in the midst of a turn.
    if (this.#limits !== limits) this.#flush();
    this.#limits = limits;
    if (this.#requests.length === 0) setImmediate(() => this.#flush());
    this.#requests.push([id, kind, counts]);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #flush(): void {
    if (this.#requests.length === 0 || !this.#limits) return;
    const batch = this.#batch++;
    this.#underWay.set(batch, this.#waiting);
    const limits = this.#told === this.#limits ? null : this.#limits;
    this.#told = this.#limits;
    this.#send({ type: 'count', batch, limits, requests: this.#requests });
    this.#requests = [];
    this.#waiting = [];
  }
}
