import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listOf, parseJson } from '../../contract/json.ts';
import { ask } from '../speed/ask.ts';
import { startWorker } from '../speed/workerd.ts';
import { bundleWorker } from '../../release/worker-bundle.ts';
import type { Skeleton } from './skeleton.ts';
import { type FarRead, isFarRead, TRACE_PATH } from './trace.ts';

const ENTRY = fileURLToPath(new URL('far-worker.ts', import.meta.url));

/** A new connection per request: workerd closes one that is idle while a skeleton is made. */
const HEADERS = { 'cf-connecting-ip': '192.0.2.1', connection: 'close' };

/** A cold Worker in workerd for each request, with a simulated remote bucket. */
export interface FarAway {
  /** Replaces the content of the bucket. */
  use(skeleton: Skeleton): void;
  /** What a cold isolate reads for a request without a key. @throws Error unless the answer is 200 */
  reads(path: string): Promise<readonly FarRead[]>;
  close(): Promise<void>;
}

/** @param folder for the bundle and the counts; may be removed afterwards */
export async function startFarAway(folder: string): Promise<FarAway> {
  let current: Skeleton | undefined;
  const script = join(folder, 'worker.js');
  await bundleWorker(script, ENTRY);
  const worker = await startWorker({
    ...{ script, folder },
    variables: { BUCKET_PREFIX: '', ADDRESS_SECRET: 'for this measurement alone' },
    ...{ objects: { QUOTAS: 'QuotaObject' }, buckets: [] },
    files: { FILES: (path) => current?.file(path) },
  });
  const trace = async (): Promise<FarRead[]> => {
    const { body } = await ask(worker.url + TRACE_PATH, HEADERS);
    return parseJson(body, listOf(isFarRead), 'a trace');
  };
  return {
    use: (skeleton) => void (current = skeleton),
    async reads(path) {
      await trace();
      const { status, body } = await ask(worker.url + path, HEADERS);
      if (status !== 200) throw new Error(`${path} gave ${status}: ${body}`);
      return trace();
    },
    close: () => worker.close(),
  };
}
