import { setImmediate as nextTurn } from 'node:timers/promises';
import { addressIdBy } from '../../../common/address-id.ts';
import type { Limits } from '../../../contract/policy.ts';
import { ApiError } from '../../api-error.ts';
import { CentralQuotaCounter, type CountResult } from '../../central-quota-counter.ts';
import type { Principal } from '../../home.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import { newTally, peekRequest } from '../../quota.ts';
import type { ServerCounter } from '../server-counter.ts';
import type { CountsAddress } from './address.ts';
import { type PendingRequest, Batch } from './batch.ts';
import { queryRows } from './rows.ts';
import { CountsUnavailable, Session, WAIT_SECONDS } from './session.ts';
import { addUsage, sweep, type UsageRow } from './tables.ts';

const WAIT_MS = WAIT_SECONDS * 1000;
const SWEEP_MS = 3_600_000;
const USABLE_MS = 1000;

/** A principal without requests. */
const NOBODY = { id: 'nobody', plan: 'address' } as const;

/** The id of addresses while the secret cannot be read. Such callers are served only if they are not counted. */
const UNKNOWN = 'address:unknown';

/** 503: what must be counted cannot be. */
const NOT_COUNTED = new ApiError(503, 'Requests cannot be counted at the moment. Try again in a moment.', {
  retryAfter: 2,
});

interface PostgresCounts {
  readonly address: CountsAddress;
  /** Hashes addresses; undefined: the secret in the database. */
  readonly secret: string | undefined;
  /** A request was refused, since it could not be counted. */
  onFailure(error: unknown): void;
}

/**
 * Counts in PostgreSQL, exactly for any number of processes. Requests that arrive while a transaction is on its way form the
 * next one, so a process needs one connection, and no queue outlives the time that a request waits.
 */
export class PostgresQuotaCounter extends CentralQuotaCounter implements ServerCounter {
  readonly #counts: PostgresCounts;
  readonly #session: Session;
  /** The last job on the connection. They run one after another. */
  #lastJob: Promise<unknown> = Promise.resolve();
  /** It is not counted yet, and still takes requests. */
  #forming: Batch | undefined;
  #addressId: ((address: string) => string) | undefined;
  /** The database's clock minus performance.now(), in milliseconds. */
  #clock = performance.timeOrigin;
  /** By performance.now(). */
  #usableUntil = 0;
  readonly #sweeping: NodeJS.Timeout;

  constructor(counts: PostgresCounts) {
    super();
    this.#counts = counts;
    this.#session = new Session(counts.address);
    if (counts.secret !== undefined) this.#addressId = addressIdBy(Buffer.from(counts.secret));
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /**
   * Connects. If PostgreSQL is only unavailable, connecting continues in the background.
   *
   * @throws CountsUnavailable if it cannot work without the operator
   */
  async open(): Promise<void> {
    await this.#session.open();
    const failure = this.#session.failure ?? (await this.#readSecret().catch((error: unknown) => error));
    if (failure instanceof CountsUnavailable && failure.isPermanent) {
      await this.close();
      throw failure;
    }
    if (failure instanceof Error) this.#counts.onFailure(failure);
    else this.#sweep();
  }

  addressId(address: string): MaybePromise<string> {
    const unknown = () => UNKNOWN;
    return this.#addressId?.(address) ?? this.#readSecret().then((idOf) => idOf(address), unknown);
  }

  whenSaved(callback: (error: unknown) => void): void {
    callback(undefined); // A verdict comes after its commit.
  }

  /** Anyone can ask, and many load balancers do: a success holds for a second, or until the connection is lost. */
  async isUsable(limits: Limits): Promise<boolean> {
    if (this.#session.failure || performance.now() >= this.#usableUntil) {
      const until = performance.now() + USABLE_MS;
      await this.#ask({ principal: NOBODY, limits, what: 'check' });
      this.#usableUntil = until;
    }
    return true;
  }

  restore(): boolean {
    return false;
  }

  /** Adds usage. If it fails, it may still have been added. @param first the first day to keep */
  addUsage(rows: readonly UsageRow[], first: number): Promise<void> {
    return this.#do(() =>
      this.#session.run(WAIT_MS, async (client) => void (await queryRows(client, addUsage(rows, first)))),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#session.close();
  }

  protected now(): number {
    return performance.now() + this.#clock;
  }

  protected callCount(principal: Principal, limits: Limits): Promise<CountResult> {
    return this.#ask({ principal, limits, what: 'count' });
  }

  /** Requests that are not counted are answered in any case, at worst as those of a new caller. */
  protected callPeek(principal: Principal, limits: Limits): Promise<CountResult> {
    return this.#ask({ principal, limits, what: 'peek' }).catch(() => ({
      verdict: peekRequest(newTally(), principal, limits, this.now()),
      tally: null,
    }));
  }

  /** @throws NOT_COUNTED */
  #ask(request: Omit<PendingRequest, 'resolve' | 'reject'>): Promise<CountResult> {
    const isUnknown = request.principal.id === UNKNOWN;
    const failure = this.#session.failure ?? (isUnknown ? new Error('the secret was not read') : undefined);
    if (failure) return Promise.reject(this.#refusal(request, failure));
    return new Promise((resolve, reject) => {
      if (!this.#forming) {
        const batch = (this.#forming = new Batch());
        void this.#do(() => this.#count(batch));
      }
      this.#forming.requests.push({ ...request, resolve, reject });
    });
  }

  #refusal({ what }: Pick<PendingRequest, 'what'>, error: unknown): ApiError {
    if (what !== 'peek') this.#counts.onFailure(error); // Peeks are answered.
    return NOT_COUNTED;
  }

  async #count(batch: Batch): Promise<void> {
    if (this.#forming === batch) this.#forming = undefined;
    try {
      const { results, clock } = await this.#run(batch);
      this.#clock = clock;
      for (const [i, { resolve }] of batch.requests.entries()) resolve(results[i]!);
    } catch (error) {
      for (const request of batch.requests) request.reject(this.#refusal(request, error));
    }
  }

  /** Counts a batch. Again on another connection, as long as there is time and its commit was not sent. */
  async #run(batch: Batch): ReturnType<Batch['count']> {
    try {
      return await this.#session.run(batch.endsAt - performance.now(), (...on) => batch.count(...on));
    } catch (error) {
      const isPassing = error instanceof CountsUnavailable && error.isPassing;
      if (!isPassing || batch.isSent || performance.now() >= batch.endsAt) throw error;
      return this.#run(batch);
    }
  }

  /** @throws CountsUnavailable */
  async #readSecret(): Promise<(address: string) => string> {
    if (this.#session.failure) throw this.#session.failure;
    const secret = await this.#do(() =>
      this.#session.run(WAIT_MS, async (client) => {
        const [row] = await queryRows<{ secret: string }>(client, 'SELECT secret FROM offprint_secret');
        if (!row) throw new Error('offprint_secret is empty: run "counts init"');
        return row.secret;
      }),
    );
    return (this.#addressId ??= addressIdBy(Buffer.from(secret)));
  }

  #sweep(): void {
    const swept = this.#do(() =>
      this.#session.run(WAIT_MS, (client) => queryRows(client, sweep(this.now()))),
    );
    // Also if it fails: the next one is in an hour.
    swept.then(
      ({ length }) => length > 0 && this.#sweep(),
      () => undefined,
    );
  }

  /** Does a job after those before it, in a later turn of the event loop, so that a batch has all requests of this one. */
  #do<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#lastJob.then(() => nextTurn()).then(job);
    this.#lastJob = done.catch(() => undefined);
    return done;
  }
}
