import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare, NoOpLog, Response } from 'miniflare';
import { parseJson } from '../../contract/json.ts';
import { ask } from '../speed/ask.ts';
import { bundleWorker } from '../../release/worker-bundle.ts';
import type { Skeleton } from './skeleton.ts';
import { type Circumstances, isTrace, type Trace, TRACE_PATH } from './trace.ts';

const ENTRY = fileURLToPath(new URL('far-worker.ts', import.meta.url));
/** The Worker's runtime settings. */
const COMPATIBILITY_DATE = '2026-10-01';

/** A new connection per request: workerd closes one that is idle while a skeleton is made. */
const HEADERS = { 'cf-connecting-ip': '192.0.2.1', connection: 'close' };

/** A Worker in workerd whose calls of the platform are simulated. */
export interface FarAway {
  /** Replaces the content of the bucket. */
  use(skeleton: Skeleton): void;
  /** Gives each file of the bucket another ETag, as if it had been published again. */
  republish(): void;
  /** Sends a request. @throws Error unless the answer is 200 */
  ask(path: string, circumstances?: Circumstances & { readonly key?: string }): Promise<Trace>;
  close(): Promise<void>;
}

/**
 * Without Wrangler's proxy, which costs many times more than a Worker.
 *
 * @param folder for the bundle and the counts; may be removed afterwards
 */
export async function startFarAway(folder: string): Promise<FarAway> {
  let current: Skeleton | undefined;
  let generation = 0;
  const script = join(folder, 'worker.js');
  await bundleWorker(script, { entry: ENTRY });
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
          const headers = { 'x-etag': String(generation) };
          return new Response(found, { status: found === undefined ? 404 : 200, headers });
        },
      },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL('worker');
  const trace = async (prepared: Circumstances = {}): Promise<Trace> => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(prepared)) query.set(name, String(value));
    const { body } = await ask(`${origin}${TRACE_PATH}?${query.toString()}`, HEADERS);
    return parseJson(body, isTrace, 'a trace');
  };
  return {
    use(skeleton) {
      current = skeleton;
      generation += 1;
    },
    republish: () => void (generation += 1),
    async ask(path, { key, ...prepared } = {}) {
      await trace(prepared);
      const headers = key === undefined ? HEADERS : { ...HEADERS, 'x-api-key': key };
      const { status, body } = await ask(origin + path, headers);
      if (status !== 200) throw new Error(`${path} gave ${status}: ${body}`);
      return trace({ isWarm: true, isKnown: true });
    },
    close: () => miniflare.dispose(),
  };
}
