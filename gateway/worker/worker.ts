/**
 * The gateway at Cloudflare. A request's way:
 *
 *   shared     given at once, where nobody is counted                     shared-answers.ts
 *   isolate    what is kept between requests is made, once                isolate.ts
 *   pointer    read at most once in 5 seconds, while                      ../fetch/latest-snapshot.ts
 *   caller     the key's record is read, or the address is hashed, and    ../known-keys.ts, ../fetch/address-hash.ts
 *   quota      a lease, or a call of the principal's Durable Object, while  object-quota-counter.ts, quota-object.ts
 *   answer     objects are read that no cache has                         bucket-snapshot-store.ts
 *
 * All of the rules are the core's (../gateway.ts). What fails is tried twice; what fails on is a 500.
 */
import { UNEXPECTED } from '../api-error.ts';
import { probeOf, probeReply } from '../health.ts';
import { refused, type Reply } from '../reply.ts';
import { toResponse } from '../fetch/response.ts';
import { withDeadline } from '../fetch/retry-once.ts';
import type { ObjectCache } from './cache-api.ts';
import type { Environment } from './environment.ts';
import { reportFailure } from './failure.ts';
import { Isolate, targetOf } from './isolate.ts';
import { findShared, keepShared } from './shared-answers.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/**
 * Requests wait for what others are reading. Should one of these be ended by the platform half-way, what
 * it read never comes: so nobody waits longer than this, and the isolate then starts again. What hangs for
 * other reasons has failed before, by the shorter deadlines of reads and calls.
 */
const DEADLINE_MS = 20_000;

/** @param openCache gives the Cache API of the place */
export function createWorker(openCache: () => ObjectCache = () => caches.default) {
  let isolate: Isolate | undefined;

  async function reply(request: Request, environment: Environment): Promise<Reply> {
    const probe = probeOf(request.method, targetOf(request.url));
    if (probe === 'live') return probeReply(probe, true);
    try {
      const { origin } = new URL(request.url);
      const known = (isolate ??= new Isolate(environment, openCache(), origin));
      const work = (async () => {
        if (probe === null) return known.reply(request);
        await known.snapshot();
        return probeReply(probe, true);
      })();
      void waitUntilSettled(work);
      return await withDeadline(DEADLINE_MS, work, () => new TookTooLong());
    } catch (error) {
      if (error instanceof TookTooLong) isolate = undefined;
      reportFailure(error);
      return probe ? probeReply(probe, false) : refused(UNEXPECTED, null);
    }
  }

  return {
    async fetch(request: Request, environment: Environment): Promise<Response> {
      const cache = (isolate?.mayShare() ?? true) ? openCache() : undefined;
      const kept = cache && (await findShared(cache, request));
      if (kept) return kept;
      const response = toResponse(request, await reply(request, environment));
      if (cache) keepShared(cache, request, response, isolate?.freshSeconds() ?? 0);
      return response;
    },
  };
}

class TookTooLong extends Error {
  override name = 'TookTooLong';
  constructor() {
    super(`A request took longer than ${DEADLINE_MS / 1000} seconds. Cached data is read again.`);
  }
}
