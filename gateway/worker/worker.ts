/**
 * The gateway at Cloudflare. A request's way:
 *
 *   isolate    created once, with the state between requests               isolate.ts
 *   pointer    read at most once in 5 seconds; in parallel:                ../fetch/fresh-snapshot.ts
 *   caller     the key's record, or the hash of the address; then          ../key-cache.ts, ../fetch/address-hash.ts
 *   quota      a call of the Durable Object; in parallel:                  object-quota-counter.ts, quota-object.ts
 *   answer     reads objects that are in no cache                          ../snapshot/packed-store.ts, cached-bucket.ts
 *
 * The rules are in the core (../gateway.ts). Failed reads and calls are retried once; then the client gets a 500.
 */
import { badRequest, UNEXPECTED } from '../api-error.ts';
import { findProbe, probeReply } from '../health.ts';
import { refused, type Reply } from '../reply.ts';
import type { ObjectCache } from './cached-bucket.ts';
import type { Environment } from './environment.ts';
import { reportFailure } from './failure.ts';
import { createIsolate, type Isolate, requestTarget } from './isolate.ts';

const NO_ADDRESS = badRequest('The Host header is not a valid host. Send the host of the URL.');

/** @param openCache returns the data centre's Cache API */
export function createWorker(openCache: () => ObjectCache = () => caches.default) {
  let isolate: Isolate | undefined;

  async function reply(request: Request, environment: Environment): Promise<Reply> {
    if (!URL.canParse(request.url)) return refused(NO_ADDRESS, null);
    const probe = findProbe(request.method, requestTarget(request.url));
    if (probe === 'live') return probeReply(probe, true);
    try {
      isolate ??= createIsolate(environment, openCache(), new URL(request.url).origin);
      if (probe === null) return await isolate.reply(request);
      await isolate.ready();
      return probeReply(probe, true);
    } catch (error) {
      reportFailure(error);
      return probe ? probeReply(probe, false) : refused(UNEXPECTED, null);
    }
  }

  return {
    async fetch(request: Request, environment: Environment): Promise<Response> {
      return toResponse(request, await reply(request, environment));
    },
  };
}

/** A reply as a Response. */
function toResponse({ method }: Request, { status, headers, body }: Reply): Response {
  const sent = new Headers();
  for (let i = 0; i < headers.length; i += 2) sent.append(headers[i] ?? '', headers[i + 1] ?? '');
  return new Response(method === 'HEAD' ? null : body, { status, headers: sent });
}
