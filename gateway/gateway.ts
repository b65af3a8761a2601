/**
 * A request's way through the gateway, from top to bottom, in the order of checks that the design gives:
 *
 *   caller      whose key is it, or whose address        caller.ts
 *   quota       counted, or 429                          quota.ts, in a home
 *   key         401 where it is none
 *   path        404, 405                                 routes.ts
 *   permission  403
 *   parameters  400, 422                                 query.ts, parameters.ts
 *   answer      200, 304, 404                            endpoints/, listing/, snapshot/
 *
 * Every error on the way ends at one place, and leaves with the caller's quota on it. What is warm is
 * answered without a promise.
 */
import { ENDPOINTS } from '../contract/api.ts';
import type { Answer } from './answer.ts';
import { ApiError, UNEXPECTED } from './api-error.ts';
import { type Caller, identify, mayUse } from './caller.ts';
import { HANDLERS } from './endpoints/endpoints.ts';
import type { GatewayRequest, KeyStore, QuotaCounter, Reporter } from './home.ts';
import { parseQuery } from './query.ts';
import type { Verdict } from './quota.ts';
import { answered, METHODS, preflight, refused, type Reply, retryAfter } from './reply.ts';
import { decodeParameter, findRoute, isUnderPrefix, unknownPath } from './routes.ts';
import { ObjectMissing } from './snapshot/objects.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { andThen, type Soon } from './soon.ts';
import { usageKind, type UsageRecorder } from './usage.ts';

/** Longer targets are refused (RFC 9110, 4.1, asks for 8,000 octets at least). */
const TARGET_MAX = 16_384;

export class Gateway {
  readonly #keys: KeyStore;
  readonly #quotas: QuotaCounter;
  readonly #reporter: Reporter;
  readonly #usage: UsageRecorder | null;

  /** @param usage who writes down what was asked, for the operator; nobody, where there is none */
  constructor(keys: KeyStore, quotas: QuotaCounter, reporter: Reporter, usage: UsageRecorder | null = null) {
    this.#keys = keys;
    this.#quotas = quotas;
    this.#reporter = reporter;
    this.#usage = usage;
  }

  /**
   * Answers a request from one snapshot. Never throws: what should not happen is reported, and the
   * client gets a plain 500.
   *
   * @param snapshot may be under way still while the caller's key is looked up
   * @param newer the snapshot that the pointer names now, for an answer whose objects are pruned already
   */
  handle(request: GatewayRequest, snapshot: Soon<Snapshot>, newer?: () => Promise<Snapshot>): Soon<Reply> {
    return this.#catching(request, null, () =>
      andThen(identify(request, this.#keys), (caller) => {
        request.log?.identified(caller);
        return andThen(snapshot, (current) => this.#countAndAnswer(request, current, caller, newer));
      }),
    );
  }

  #countAndAnswer(
    request: GatewayRequest,
    snapshot: Snapshot,
    caller: Caller,
    newer: (() => Promise<Snapshot>) | undefined,
  ): Soon<Reply> {
    const counted = this.#count(request, caller, snapshot);
    // Where counting takes its time, the answer is looked for beside it, and looked at only after it.
    const ahead =
      counted instanceof Promise ? this.#findAhead(request, snapshot, caller, counted) : undefined;
    return andThen(counted, (verdict) => {
      const reply = this.#catching(request, verdict, () => {
        const answer = this.#answer(request, snapshot, caller, verdict, ahead);
        if (newer === undefined || !(answer instanceof Promise)) return answer;
        return answer.catch(async (error: unknown) => {
          const next = error instanceof ObjectMissing ? await newer() : snapshot;
          if (next.id === snapshot.id) throw error;
          return this.#answer(request, next, caller, verdict);
        });
      });
      return andThen(reply, (known) => this.#noted(request, caller, known));
    });
  }

  /** What counts: everything under the prefix but OPTIONS. */
  #count({ method, target }: GatewayRequest, { principal }: Caller, snapshot: Snapshot): Soon<Verdict> {
    const { limits } = snapshot.directory.policy;
    const counts = method !== 'OPTIONS' && isUnderPrefix(split(target).path);
    return counts ? this.#quotas.count(principal, limits) : this.#quotas.peek(principal, limits);
  }

  /** What is noted is what counts, and what was refused with 429. */
  #noted({ method, target }: GatewayRequest, caller: Caller, reply: Reply): Reply {
    const { path } = split(target);
    if (this.#usage && method !== 'OPTIONS' && isUnderPrefix(path)) {
      this.#usage.record(usageKind(caller, path, reply.status));
    }
    return reply;
  }

  #answer(
    request: GatewayRequest,
    snapshot: Snapshot,
    caller: Caller,
    verdict: Verdict,
    ahead?: Promise<Answer>,
  ): Soon<Reply> {
    const { method, target } = request;
    if (!isUnderPrefix(split(target).path)) throw unknownPath();
    if (method === 'OPTIONS') return preflight(verdict);
    if (verdict.refusedBy !== null) throw exhausted(verdict, caller);
    if (caller.refusal) throw caller.refusal;

    return andThen(ahead ?? this.#find(request, snapshot, caller, verdict), (answer) =>
      answered(answer, verdict, {
        head: method === 'HEAD',
        ifNoneMatch: request.header('if-none-match'),
        coding: request.coding,
      }),
    );
  }

  /** Finds the answer before it is known whether the caller gets it; errors wait as long. */
  #findAhead(
    request: GatewayRequest,
    snapshot: Snapshot,
    caller: Caller,
    verdict: Promise<Verdict>,
  ): Promise<Answer> | undefined {
    if (caller.refusal || request.method === 'OPTIONS') return undefined;
    const answer = new Promise<Answer>((resolve) => resolve(this.#find(request, snapshot, caller, verdict)));
    answer.catch(() => undefined);
    return answer;
  }

  /** What follows upon the quota, in the order of checks. */
  #find(
    { method, target }: GatewayRequest,
    snapshot: Snapshot,
    caller: Caller,
    verdict: Soon<Verdict>,
  ): Soon<Answer> {
    const { path, query } = split(target);
    if (target.length > TARGET_MAX)
      throw new ApiError(414, `The URL is longer than ${TARGET_MAX} bytes. Shorten it.`);

    const route = findRoute(path);
    if (!route) throw unknownPath();
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError(405, `${method} is not possible here: this interface is read-only. Use GET.`, {
        allow: METHODS,
      });
    }

    const { scope } = ENDPOINTS[route.endpoint];
    if (!mayUse(caller, scope)) throw new ApiError(403, `This key lacks the permission ${scope}.`);

    const parameter = decodeParameter(route.parameter);
    return HANDLERS[route.endpoint]({ snapshot, parameter, query: parseQuery(query), caller, verdict });
  }

  /** The one place where errors end. */
  #catching(request: GatewayRequest, verdict: Verdict | null, work: () => Soon<Reply>): Soon<Reply> {
    const fail = (error: unknown): Reply => {
      const head = request.method === 'HEAD';
      if (error instanceof ApiError) return refused(error, verdict, head);
      this.#reporter.failed(error, request);
      return refused(UNEXPECTED, verdict, head);
    };
    try {
      const reply = work();
      return reply instanceof Promise ? reply.catch(fail) : reply;
    } catch (error) {
      return fail(error);
    }
  }
}

function exhausted(verdict: Verdict, caller: Caller): ApiError {
  const { refusedBy, limit, minuteLimit } = verdict;
  const wait = `Try again in ${retryAfter(verdict)} seconds.`;
  if (refusedBy === 'minute') {
    return new ApiError(429, `The limit of ${minuteLimit} requests per minute is reached. ${wait}`);
  }
  const whose = caller.principal.kind === 'address' ? 'this address, without a key,' : 'this account';
  return new ApiError(429, `The daily limit of ${limit} requests for ${whose} is reached. ${wait}`);
}

function split(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
