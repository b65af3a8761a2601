import { PREFIX } from '../../contract/api.ts';
import { isUnmodified } from '../conditional.ts';
import { SHARED } from '../reply.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';

/** What makes an answer one for this caller, or this version alone. */
const OWN = ['authorization', 'x-api-key', 'if-match'];

/** What Cloudflare adds to an answer that it kept. */
const OF_CACHE = ['age', 'cf-cache-status'];

/*
 * Answers to callers without a key, where these have no limit. The cache of the place keeps them for a moment, and they
 * are given before anything else is done: without a read, a count, or a look at the pointer.
 */

/** The answer that is kept; undefined where there is none, or the request wants one of its own. */
export async function findShared(cache: ObjectCache, request: Request): Promise<Response | undefined> {
  const address = addressOf(request);
  const kept = address === undefined ? undefined : await readFrom(cache, address, (response) => response);
  if (!kept) return undefined;
  const headers = new Headers(kept.headers);
  headers.set(...SHARED);
  for (const name of OF_CACHE) headers.delete(name);
  const isKnown = isUnmodified(request.headers.get('if-none-match') ?? undefined, headers.get('etag') ?? '');
  if (!isKnown) return new Response(request.method === 'HEAD' ? null : kept.body, { headers });
  headers.delete('content-type');
  headers.delete('content-length');
  return new Response(null, { status: 304, headers });
}

/**
 * Keeps an answer that is the same for all who ask alike.
 *
 * @param seconds for so long its snapshot may be taken for the current one; no answer is kept for less than one
 */
export function keepShared(cache: ObjectCache, request: Request, response: Response, seconds: number): void {
  const address = addressOf(request);
  const isWhole = request.method === 'GET' && response.status === 200 && seconds >= 1;
  if (address === undefined || !isWhole || response.headers.get('cache-control') !== SHARED[1]) return;
  const copy = response.clone();
  const headers = new Headers(copy.headers);
  headers.set('Cache-Control', `public, max-age=${Math.floor(seconds)}`);
  keepIn(cache, address, new Response(copy.body, { headers }));
}

/** Below the interface's own prefix, where every request reaches the Worker and none this entry. */
function addressOf({ method, url, headers }: Request): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const isOfInterface = pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);
  if (!isOfInterface || (method !== 'GET' && method !== 'HEAD')) return undefined;
  if (OWN.some((name) => headers.has(name))) return undefined;
  return `${origin}${PREFIX}/.shared?${encodeURIComponent(pathname + search)}`;
}
