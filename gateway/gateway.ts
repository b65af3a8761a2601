/**
 * A request's way through the gateway, from top to bottom, in the order of checks that the design gives:
 *
 *   file        outside the interface: served, uncounted  site-files.ts
 *   caller      the key's account, or the address        caller.ts
 *   quota       counted, or 429                          quota.ts, in a home
 *   key         401 if invalid
 *   path        404, 405                                 routes.ts
 *   permission  403
 *   parameters  400, 422                                 query.ts, parameters.ts
 *   answer      200, 304, 404, 412                          endpoints/, listing/, snapshot/
 *
 * Every error is caught in one place and is sent with the caller's quota. Warm requests are answered without a promise.
 */
import { ENDPOINTS } from '../contract/api.ts';
import { isUnlimited } from '../contract/policy.ts';
import type { Answer } from './answer.ts';
import { ApiError, forbidden, NOT_CURRENT, type Refusal, UNEXPECTED } from './api-error.ts';
import { type Caller, identify } from './caller.ts';
import { HANDLERS } from './endpoints/endpoints.ts';
import type { GatewayRequest, KeyStore, QuotaCounter, Reporter } from './home.ts';
import { parseQuery } from './query.ts';
import type { Verdict } from './quota.ts';
import { answered, preflight, refused, type Reply, retryAfter } from './reply.ts';
import { decodeParameter, notAllowed, readTarget, type RequestTarget, unknownPath } from './routes.ts';
import { findFile, mayBeForFile, outsidePrefix, replyWithFile } from './site-files.ts';
import { ObjectMissing } from './snapshot/objects.ts';
import { type Snapshot, SnapshotBehind } from './snapshot/snapshot.ts';
import { andThen, type MaybePromise, tryCatch } from './maybe-promise.ts';
import { usageKind, type UsageRecorder } from './usage.ts';

/** Longer targets are refused (RFC 9110, 4.1, asks for 8,000 octets at least). */
const TARGET_MAX = 16_384;

interface RequestContext {
  readonly request: GatewayRequest;
  readonly target: RequestTarget;
  readonly caller: Caller;
  /** Everything under the prefix counts, except OPTIONS. */
  readonly isCounted: boolean;
}

/** Reads the newest snapshot; undefined: there is only one. */
type Newer = (() => Promise<Snapshot>) | undefined;

export class Gateway {
  readonly #keys: KeyStore;
  readonly #quotas: QuotaCounter;
  readonly #reporter: Reporter;
  readonly #usage: UsageRecorder | null;

  /** @param usage records requests for the operator; null: not recorded */
  constructor(keys: KeyStore, quotas: QuotaCounter, reporter: Reporter, usage: UsageRecorder | null = null) {
    this.#keys = keys;
    this.#quotas = quotas;
    this.#reporter = reporter;
    this.#usage = usage;
  }

  /**
   * Answers a request from one snapshot. Never throws: unexpected errors are reported, and the client gets a 500.
   *
   * @param snapshot may still be loading while the caller's key is looked up
   * @param newer reads the newest snapshot, by a pointer that is read after the call
   */
  handle(request: GatewayRequest, snapshot: MaybePromise<Snapshot>, newer?: Newer): MaybePromise<Reply> {
    return this.#catching(request, null, () => {
      if (!mayBeForFile(request)) return this.#identifyAndAnswer(request, snapshot, newer);
      return andThen(snapshot, (current) => {
        if (!findFile(current, request.target)) return this.#identifyAndAnswer(request, current, newer);
        return this.#withNewest(request, current, newer, (known) => replyWithFile(request, known));
      });
    });
  }

  #identifyAndAnswer(
    request: GatewayRequest,
    snapshot: MaybePromise<Snapshot>,
    newer: Newer,
  ): MaybePromise<Reply> {
    return andThen(identify(request, this.#keys), (caller) => {
      const target = readTarget(request.target);
      const isCounted = target.isUnderPrefix && request.method !== 'OPTIONS';
      request.onIdentified?.(caller, isCounted);
      const context = { request, target, caller, isCounted };
      return andThen(snapshot, (current) => this.#countAndAnswer(context, current, newer));
    });
  }

  #countAndAnswer(context: RequestContext, current: Snapshot, newer: Newer): MaybePromise<Reply> {
    const { request, target, caller, isCounted } = context;
    const { limits } = current.directory.policy;
    const counted = this.#quotas[isCounted ? 'count' : 'peek'](caller.principal, limits);
    const isOnly = newer === undefined;
    const ahead = counted instanceof Promise ? this.#findAhead(context, current, isOnly, counted) : undefined;
    return andThen(counted, (verdict) => {
      const reply = this.#catching(request, verdict, () =>
        this.#withNewest(request, current, newer, (snapshot, isNewest) =>
          this.#answer(context, snapshot, isNewest, verdict, isNewest === isOnly ? ahead : undefined),
        ),
      );
      return andThen(reply, (known) => {
        // Recorded: requests that count, and those refused with 429.
        if (isCounted) this.#usage?.record(usageKind(caller, target.endpoint, known.status));
        return known;
      });
    });
  }

  #answer(
    context: RequestContext,
    snapshot: Snapshot,
    isNewest: boolean,
    verdict: Verdict,
    ahead?: Promise<Answer>,
  ): MaybePromise<Reply> {
    const { request, target, caller } = context;
    if (request.method === 'OPTIONS') return preflight(verdict);
    if (!target.isUnderPrefix) throw outsidePrefix(snapshot, request);
    // These two come in floods, and throwing costs more than the rest of their handling.
    if (verdict.refusedBy !== null) return refused(exhausted(verdict, caller), verdict);
    if (caller.refusal) return refused(caller.refusal, verdict);

    const { policy } = snapshot.directory;
    return andThen(ahead ?? this.#find(context, snapshot, isNewest, verdict), (answer) => {
      // Without limits for callers without a key, all of them get the same answer.
      const isShared = caller.key === null && isUnlimited(policy.limits, 'address');
      return answered(request, answer, verdict, isShared, snapshot);
    });
  }

  /**
   * Starts to find the answer while the verdict is pending; errors wait for the verdict too. Here and not in the home that
   * counts elsewhere: which checks come between the count and the answer is the core's order.
   */
  #findAhead(
    context: RequestContext,
    snapshot: Snapshot,
    isNewest: boolean,
    verdict: Promise<Verdict>,
  ): Promise<Answer> | undefined {
    if (context.caller.refusal || context.request.method === 'OPTIONS') return undefined;
    const answer = new Promise<Answer>((resolve) =>
      resolve(this.#find(context, snapshot, isNewest, verdict)),
    );
    answer.catch(() => undefined);
    return answer;
  }

  /** The checks after the quota, in their order. */
  #find(
    { request, target, caller }: RequestContext,
    snapshot: Snapshot,
    isNewest: boolean,
    verdict: MaybePromise<Verdict>,
  ): MaybePromise<Answer> {
    const { method } = request;
    const { endpoint } = target;
    if (request.target.length > TARGET_MAX)
      throw new ApiError(414, `The URL is longer than ${TARGET_MAX} bytes. Shorten it.`);

    if (!endpoint) throw unknownPath();
    if (method !== 'GET' && method !== 'HEAD') throw notAllowed(method);

    const { scope } = ENDPOINTS[endpoint];
    // Without a key every endpoint is open.
    if (scope !== null && caller.key && !caller.key.scopes.includes(scope)) throw forbidden(scope);

    const parameter = decodeParameter(target.parameter);
    return andThen(parseQuery(target.query), (query) =>
      HANDLERS[endpoint]({ snapshot, isNewest, parameter, query, caller, verdict }),
    );
  }

  /**
   * Answers from a snapshot. Retries with the newest one as long as an object of each was pruned meanwhile, or if the request
   * continues a newer snapshot. Every home needs this, and only here the request is counted once.
   */
  #withNewest(
    request: GatewayRequest,
    snapshot: Snapshot,
    newer: Newer,
    answer: (snapshot: Snapshot, isNewest: boolean) => MaybePromise<Reply>,
    isNewest = newer === undefined,
  ): MaybePromise<Reply> {
    return tryCatch(
      () => answer(snapshot, isNewest),
      (error) => {
        if (!newer || !(error instanceof ObjectMissing || error instanceof SnapshotBehind)) throw error;
        const read = newer().catch((cause: unknown) => {
          this.#reporter.reportError(cause, request);
          throw NOT_CURRENT;
        });
        return read.then((newest) => {
          if (error instanceof ObjectMissing && newest === snapshot) throw error;
          return this.#withNewest(request, newest, newer, answer, true);
        });
      },
    );
  }

  /** The single catch point. */
  #catching(
    request: GatewayRequest,
    verdict: Verdict | null,
    work: () => MaybePromise<Reply>,
  ): MaybePromise<Reply> {
    return tryCatch(work, (error) => {
      if (error instanceof ApiError) return refused(error, verdict);
      this.#reporter.reportError(error, request);
      return refused(UNEXPECTED, verdict);
    });
  }
}

function exhausted(verdict: Verdict, { principal }: Caller): Refusal {
  const { refusedBy, limit, minuteLimit } = verdict;
  const whose = principal.plan === 'address' ? 'this address, without a key,' : 'this account';
  const reached =
    refusedBy === 'minute'
      ? `The limit of ${minuteLimit} requests per minute is reached.`
      : `The daily limit of ${limit} requests for ${whose} is reached.`;
  return { status: 429, message: `${reached} Try again in ${retryAfter(verdict)} seconds.` };
}
