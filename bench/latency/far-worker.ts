/**
 * The deployed Worker with a simulated remote bucket: each read takes READ_MS, six run in parallel (the platform's
 * limit), and the location's cache is empty. It records the reads of each request and their round: a read is one
 * round later than the last read that had finished when it started.
 */
import type { R2Bucket } from '@cloudflare/workers-types';
import type { Environment } from '../../gateway/worker/environment.ts';
import { createWorker } from '../../gateway/worker/worker.ts';
import { CONNECTIONS, type FarRead, READ_MS, TRACE_PATH } from './trace.ts';

export { Failure } from '../../gateway/worker/failure.ts';
export { QuotaObject } from '../../gateway/worker/quota-object.ts';

interface FarEnvironment extends Environment {
  /** Returns the bytes of the bucket's files. */
  readonly FILES: { fetch(url: string): Promise<Response> };
}

const emptyCache = () => ({ match: () => Promise.resolve(undefined), put: () => Promise.resolve() });

let worker = createWorker(emptyCache);
let reads: FarRead[] = [];
let lastRound = 0;
let running = 0;
const waiting: (() => void)[] = [];

async function read(files: FarEnvironment['FILES'], key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const round = lastRound + 1;
  if (running >= CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  const [response] = await Promise.all([
    files.fetch(`http://files/${key}`),
    new Promise((resolve) => setTimeout(resolve, READ_MS)),
  ]);
  const bytes = response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  running -= 1;
  waiting.shift()?.();
  lastRound = Math.max(lastRound, round);
  reads.push({ key, round, bytes: bytes?.length ?? 0 });
  return bytes;
}

function farBucket(files: FarEnvironment['FILES']): Pick<R2Bucket, 'get'> {
  const get = async (key: string) => {
    const bytes = await read(files, key);
    return (
      bytes && {
        text: () => Promise.resolve(new TextDecoder().decode(bytes)),
        arrayBuffer: () => Promise.resolve(bytes.buffer),
      }
    );
  };
  return { get: get as unknown as R2Bucket['get'] };
}

export default {
  async fetch(request: Request, environment: FarEnvironment): Promise<Response> {
    if (new URL(request.url).pathname === TRACE_PATH) {
      const seen = reads;
      [reads, lastRound] = [[], 0];
      worker = createWorker(emptyCache);
      return Response.json(seen);
    }
    return worker.fetch(request, { ...environment, BUCKET: farBucket(environment.FILES) as R2Bucket });
  },
};
