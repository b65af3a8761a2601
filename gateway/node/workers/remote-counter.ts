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

/** What is asked of the primary in one message. */
interface Batch {
  readonly limits: Limits;
  readonly requests: CountBatch['requests'][number][];
  /** Who waits for the verdict of each. */
  readonly waiting: { resolve(verdict: Verdict): void; reject(error: NotCounted): void }[];
}

/**
 * Counts in the primary process. A verdict comes back once its count is safe, so nothing is left to wait for.
 *
 * One message is under way at a time: what is asked meanwhile goes into the next. So messages are few where
 * requests are many, and nobody waits for longer than the message before.
 */
export class RemoteCounter implements DurableCounter {
  readonly #send: (batch: CountBatch) => void;
  readonly #secret: Uint8Array;
  /** Another snapshot may bring other limits, so there can be more than one. */
  readonly #due: Batch[] = [];
  #isSendingDue = false;
  #underWay: Batch | undefined;
  /** The limits that the primary was told last. */
  #told: Limits | undefined;

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
    for (const batch of this.#due.splice(0)) refuse(batch, STOPS);
    this.notCounted(STOPS);
  }

  /** The primary's answer to the message that is under way. */
  counted(verdicts: readonly (Verdict | null)[]): void {
    this.#finish(({ waiting }) =>
      waiting.forEach(({ resolve, reject }, i) => {
        const verdict = verdicts[i];
        if (verdict) resolve(verdict);
        else reject(new NotCounted('The primary could not read this count; its log says why.'));
      }),
    );
  }

  /** It could not make sure of these counts. */
  notCounted(message: string): void {
    this.#finish((batch) => refuse(batch, message));
  }

  #finish(tell: (batch: Batch) => void): void {
    const batch = this.#underWay;
    this.#underWay = undefined;
    if (batch) tell(batch);
    this.#sendNext();
  }

  #ask({ id, kind }: Principal, limits: Limits, counts: 0 | 1): Promise<Verdict> {
    let batch = this.#due.at(-1);
    if (batch?.limits !== limits) this.#due.push((batch = { limits, requests: [], waiting: [] }));
    const { requests, waiting } = batch;
    requests.push([id, kind, counts]);
    this.#sendSoon();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  /** Once all that came in this turn of the event loop has been asked. */
  #sendSoon(): void {
    if (this.#underWay || this.#isSendingDue) return;
    this.#isSendingDue = true;
    setImmediate(() => {
      this.#isSendingDue = false;
      if (!this.#underWay) this.#sendNext();
    });
  }

  #sendNext(): void {
    const batch = this.#due.shift();
    if (!batch) return;
    this.#underWay = batch;
    const { limits, requests } = batch;
    this.#send({ type: 'count', limits: this.#told === limits ? null : limits, requests });
    this.#told = limits;
  }
}

const STOPS = 'The gateway stops.';

function refuse({ waiting }: Batch, message: string): void {
  for (const { reject } of waiting) reject(new NotCounted(message));
}
