import { PREFIX } from '../../contract/api.ts';
import { isUnmodified } from '../conditional.ts';
import { PUBLIC } from '../reply.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';

/** Headers of requests whose answers are not shared. */
const UNSHARED_HEADERS = ['authorization', 'x-api-key', 'if-match'];

/** Headers that Cloudflare adds to cached answers. */
const CACHE_HEADERS = ['age', 'cf-cache-status'];

/*
 * Answers for callers without a key, if these have no limits. The data centre's cache keeps them for a moment. They are
 * served first, without a read, a count or a look at the pointer.
 */

/** The cached answer, if any and if the request may share it. */
export async function findShared(cache: ObjectCache, request: Request): Promise<Response | undefined> {
  const address = addressOf(request);
  const kept = address === undefined ? undefined : await readFrom(cache, address, (response) => response);
  if (!kept) return undefined;
  const headers = new Headers(kept.headers);
  headers.set(...PUBLIC);
  for (const name of CACHE_HEADERS) headers.delete(name);
  const etag = headers.get('etag');
  const isKnown = etag !== null && isUnmodified(request.headers.get('if-none-match') ?? undefined, etag);
  if (!isKnown) return new Response(request.method === 'HEAD' ? null : kept.body, { headers });
  headers.delete('content-type');
  headers.delete('content-length');
  return new Response(null, { status: 304, headers });
}

/**
 * Caches an answer that all such callers share.
 *
 * @param seconds how long its snapshot may be assumed to be current; below 1, nothing is cached
 */
export function keepShared(cache: ObjectCache, request: Request, response: Response, seconds: number): void {
  const address = addressOf(request);
  const isWhole = request.method === 'GET' && response.status === 200 && seconds >= 1;
  if (address === undefined || !isWhole || response.headers.get('cache-control') !== PUBLIC[1]) return;
  const copy = response.clone();
  const headers = new Headers(copy.headers);
  headers.set('Cache-Control', `public, max-age=${Math.floor(seconds)}`);
  keepIn(cache, address, new Response(copy.body, { headers }));
}

/** Under the interface's prefix: requests there always reach the Worker, so none can reach this entry. */
function addressOf({ method, url, headers }: Request): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const isOfInterface = pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);
  if (!isOfInterface || (method !== 'GET' && method !== 'HEAD')) return undefined;
  if (UNSHARED_HEADERS.some((name) => headers.has(name))) return undefined;
  return `${origin}${PREFIX}/.shared?${encodeURIComponent(pathname + search)}`;
}
