import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare, NoOpLog, Response } from 'miniflare';
import { listOf, parseJson } from '../../contract/json.ts';
import { ask } from '../speed/ask.ts';
import { bundleWorker } from '../../release/worker-bundle.ts';
import type { Skeleton } from './skeleton.ts';
import { type FarRead, isFarRead, TRACE_PATH } from './trace.ts';

const ENTRY = fileURLToPath(new URL('far-worker.ts', import.meta.url));
/** The Worker's runtime settings. */
const COMPATIBILITY_DATE = '2026-10-01';

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

/**
 * Without Wrangler's proxy, which costs many times more than a Worker.
 *
 * @param folder for the bundle and the counts; may be removed afterwards
 */
export async function startFarAway(folder: string): Promise<FarAway> {
  let current: Skeleton | undefined;
  const script = join(folder, 'worker.js');
  await bundleWorker(script, ENTRY);
  const contents = readFileSync(script, 'utf8');
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{ name: 'worker', compatibilityDate: COMPATIBILITY_DATE, log: new NoOpLog() },
      modules: [{ type: 'ESModule', path: 'worker.js', contents }],
      bindings: { BUCKET_PREFIX: '', ADDRESS_SECRET: 'for this measurement alone' },
      durableObjects: { QUOTAS: { className: 'QuotaObject', useSQLite: true } },
      durableObjectsPersist: join(folder, 'objects'),
      serviceBindings: {
        FILES: ({ url }: { readonly url: string }) => {
          const found = current?.file(new URL(url).pathname.slice(1));
          return new Response(found, { status: found === undefined ? 404 : 200 });
        },
      },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL('worker');
  const trace = async (): Promise<FarRead[]> => {
    const { body } = await ask(origin + TRACE_PATH, HEADERS);
    return parseJson(body, listOf(isFarRead), 'a trace');
  };
  return {
    use: (skeleton) => void (current = skeleton),
    async reads(path) {
      await trace();
      const { status, body } = await ask(origin + path, HEADERS);
      if (status !== 200) throw new Error(`${path} gave ${status}: ${body}`);
      return trace();
    },
    close: () => miniflare.dispose(),
  };
}
