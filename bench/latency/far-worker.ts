/**
 * The deployed Worker with simulated calls of the platform: each takes a given time (trace.ts), and six reads of the bucket
 * and the Cache API run in parallel. It records the calls of each request.
 */
import type { DurableObjectNamespace, R2Bucket, R2GetOptions } from '@cloudflare/workers-types';
import type { ObjectCache } from '../../gateway/worker/cached-bucket.ts';
import type { Environment } from '../../gateway/worker/environment.ts';
import type { QuotaObject } from '../../gateway/worker/quota-object.ts';
import { createWorker } from '../../gateway/worker/worker.ts';
import { SimulatedTime } from './simulated-time.ts';
import { type Call, CONNECTIONS, DURATIONS, type Trace, TRACE_PATH } from './trace.ts';

export { Failure } from '../../gateway/worker/failure.ts';
export { QuotaObject } from '../../gateway/worker/quota-object.ts';

interface FarEnvironment extends Environment {
  /** Returns the bytes of the bucket's files, with their ETags. */
  readonly FILES: { fetch(url: string): Promise<Response> };
}

const time = new SimulatedTime();
const start = Date.now();
Date.now = () => start + time.now;

/** A Response belongs to the request that made it, so its parts are kept. */
let kept = new Map<string, { readonly body: ArrayBuffer; readonly headers: [string, string][] }>();
let worker = createWorker(() => cache);
let trace: Trace = { ms: 0, calls: [] };
let calls: Call[] = [];
let lastRound = 0;
let running = 0;
const waiting: (() => void)[] = [];

/** Takes one of the connections for a call. */
async function connected<T>(
  of: 'bucket' | 'cache',
  key: string,
  work: () => Promise<T>,
  sizeOf: (result: T) => number,
) {
  const round = lastRound + 1;
  if (running >= CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  const result = await time.during(DURATIONS[of], work);
  running -= 1;
  waiting.shift()?.();
  if (of === 'bucket') lastRound = Math.max(lastRound, round);
  calls.push({ of, key, round, bytes: sizeOf(result) });
  return result;
}

/** The cache of the location. */
const cache: ObjectCache = {
  match: (url) =>
    connected(
      'cache',
      new URL(url).pathname,
      () => {
        const entry = kept.get(url);
        return Promise.resolve(entry && new Response(entry.body, { headers: entry.headers }));
      },
      () => 0,
    ),
  put(url, response) {
    const store = async () => {
      kept.set(url, { body: await response.arrayBuffer(), headers: [...response.headers] });
    };
    return connected('cache', new URL(url).pathname, store, () => 0);
  },
};

function farBucket(files: FarEnvironment['FILES']): Pick<R2Bucket, 'get'> {
  const read = async (key: string, known: unknown) => {
    const response = await files.fetch(`http://files/${key}`);
    const body = await response.arrayBuffer();
    const etag = response.headers.get('x-etag') ?? '';
    if (!response.ok) return null;
    if (known === etag) return { etag };
    return {
      ...{ etag, body, arrayBuffer: () => Promise.resolve(body) },
      text: () => Promise.resolve(new TextDecoder().decode(body)),
    };
  };
  const get = (key: string, { onlyIf }: R2GetOptions = {}) => {
    const known = onlyIf && 'etagDoesNotMatch' in onlyIf ? onlyIf.etagDoesNotMatch : undefined;
    return connected(
      'bucket',
      key,
      () => read(key, known),
      (object) => (object && 'body' in object ? object.body.byteLength : 0),
    );
  };
  return { get: get as unknown as R2Bucket['get'] };
}

function farQuotas(quotas: DurableObjectNamespace<QuotaObject>) {
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await time.during(DURATIONS.object, work);
    calls.push({ of: 'object', key: '', round: 0, bytes: 0 });
    return result;
  };
  return {
    idFromName: (name: string) => quotas.idFromName(name),
    get(id: ReturnType<typeof quotas.idFromName>) {
      const stub = quotas.get(id);
      return {
        count: (...of: Parameters<typeof stub.count>) => call(async () => stub.count(...of)),
        peek: (...of: Parameters<typeof stub.peek>) => call(async () => stub.peek(...of)),
      };
    },
  };
}

/** Returns the last trace. Then all goes on as the query says. */
async function prepare({ searchParams }: URL): Promise<Trace> {
  // What the last request has stored in the cache.
  while (!time.isIdle) await new Promise((resolve) => setTimeout(resolve, 1));
  if (!searchParams.has('isWarm')) worker = createWorker(() => cache);
  if (!searchParams.has('isKnown')) kept = new Map();
  time.now += Number(searchParams.get('later') ?? 0);
  [calls, lastRound] = [[], 0];
  return trace;
}

export default {
  async fetch(request: Request, environment: FarEnvironment): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === TRACE_PATH) return Response.json(await prepare(url));
    const far = {
      ...environment,
      BUCKET: farBucket(environment.FILES),
      QUOTAS: farQuotas(environment.QUOTAS),
    };
    const began = time.now;
    const response = await worker.fetch(request, far as unknown as Environment);
    trace = { ms: time.now - began, calls: [...calls] };
    return response;
  },
};
