/**
 * The gateway at Cloudflare. A request's way:
 *
 *   shared     a cached answer, if callers without a key have no limits    shared-answers.ts
 *   isolate    created once, with the state between requests               isolate.ts
 *   pointer    read at most once in 5 seconds; in parallel:                ../fetch/fresh-snapshot.ts
 *   caller     the key's record, or the hash of the address; then          ../key-cache.ts, ../fetch/address-hash.ts
 *   quota      a call of the Durable Object; in parallel:                  object-quota-counter.ts, quota-object.ts
 *   answer     reads objects that are in no cache                          ../snapshot/packed-store.ts, cached-bucket.ts
 *
 * The rules are in the core (../gateway.ts). Failed reads and calls are retried once; then the client gets a 500.
 */
import { badRequest, UNEXPECTED } from '../api-error.ts';
import { probeOf, probeReply } from '../health.ts';
import { refused, type Reply } from '../reply.ts';
import { DeadlineExceeded, withDeadline } from '../deadline.ts';
import type { ObjectCache } from './cache-api.ts';
import type { Environment } from './environment.ts';
import { reportFailure } from './failure.ts';
import { createIsolate, type Isolate, targetOf } from './isolate.ts';
import { findShared, keepShared } from './shared-answers.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/**
 * The last resort: after this time a request fails, and the isolate's state is created again. Hangs end earlier, by the
 * deadlines of reads and calls, and of waiting for other requests (sharing.ts).
 */
const DEADLINE_MS = 20_000;

const NO_ADDRESS = badRequest('The Host header is not a host. Send that of the address.');

class RequestStuck extends DeadlineExceeded {
  constructor() {
    super(`A request took longer than ${DEADLINE_MS / 1000} seconds. Cached data is read again.`);
  }
}

/** @param openCache returns the data centre's Cache API */
export function createWorker(openCache: () => ObjectCache = () => caches.default) {
  let isolate: Isolate | undefined;

  /** @throws EnvironmentFaulty */
  function isolateFor({ url }: Request, environment: Environment): Isolate {
    return (isolate ??= createIsolate(environment, openCache(), new URL(url).origin));
  }

  /** A new isolate reads what it knows of its location at the same time as the shared answer. */
  function lookAhead(request: Request, environment: Environment): void {
    try {
      isolateFor(request, environment);
    } catch {
      // `reply` reports it.
    }
  }

  async function reply(request: Request, environment: Environment): Promise<Reply> {
    const probe = probeOf(request.method, targetOf(request.url));
    if (probe === 'live') return probeReply(probe, true);
    try {
      const known = isolateFor(request, environment);
      const work = (async () => {
        if (probe === null) return known.reply(request);
        await known.ready();
        return probeReply(probe, true);
      })();
      void waitUntilSettled(work);
      return await withDeadline(DEADLINE_MS, work, () => new RequestStuck());
    } catch (error) {
      if (error instanceof RequestStuck) isolate = undefined;
      reportFailure(error);
      return probe ? probeReply(probe, false) : refused(UNEXPECTED, null);
    }
  }

  async function respond(request: Request, environment: Environment): Promise<Response> {
    const cache = (isolate?.mayShare() ?? true) ? openCache() : undefined;
    const shared = cache && findShared(cache, request);
    lookAhead(request, environment);
    const kept = await shared;
    if (kept) return kept;
    const response = toResponse(request, await reply(request, environment));
    if (cache) keepShared(cache, request, response, isolate?.freshSeconds() ?? 0);
    return response;
  }

  return {
    async fetch(request: Request, environment: Environment): Promise<Response> {
      if (!URL.canParse(request.url)) return toResponse(request, refused(NO_ADDRESS, null));
      try {
        return await respond(request, environment);
      } catch (error) {
        reportFailure(error);
        return toResponse(request, refused(UNEXPECTED, null));
      }
    },
  };
}

/** A reply as a Response. */
function toResponse({ method }: Request, { status, headers, body }: Reply): Response {
  const sent = new Headers();
  for (let i = 0; i < headers.length; i += 2) sent.append(headers[i] ?? '', headers[i + 1] ?? '');
  return new Response(method === 'HEAD' ? null : body, { status, headers: sent });
}
