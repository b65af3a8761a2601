import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, NoOpLog, Response } from 'miniflare';
import { namedBelow } from './process-usage.ts';

/** A Worker in workerd, with its buckets and Durable Objects, without Wrangler's proxy. */
export interface WorkerProcess {
  readonly url: string;
  readonly pids: readonly number[];
  /** Fills the bucket of this binding: keys and contents. */
  fill(binding: string, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  close(): Promise<void>;
}

export interface WorkerOptions {
  /** One file, bundled. */
  readonly script: string;
  /** The folder for Durable Objects and buckets. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Bindings of Durable Objects, and their classes. */
  readonly objects: Readonly<Record<string, string>>;
  readonly buckets: readonly string[];
  /** Bindings of services that return files of this process, by the path of the request. */
  readonly files?: Readonly<Record<string, (path: string) => Uint8Array | string | undefined>>;
}

/** The Worker's runtime settings. */
const COMPATIBILITY_DATE = '2026-10-01';
const PARALLEL_UPLOADS = 32;

/**
 * Starts a Worker like Wrangler, but with a socket of its own: Wrangler's proxy and access log cost many times more
 * than a Worker.
 */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { script, folder, variables, objects, buckets, files = {} } = options;
  const before = new Set(namedBelow(process.pid, 'workerd'));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{ name: 'worker', compatibilityDate: COMPATIBILITY_DATE, log: new NoOpLog() },
      modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(script, 'utf8') }],
      bindings: { ...variables },
      durableObjects: Object.fromEntries(
        Object.entries(objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
      ),
      durableObjectsPersist: join(folder, 'objects'),
      r2Buckets: [...buckets],
      r2Persist: join(folder, 'buckets'),
      serviceBindings: Object.fromEntries(
        Object.entries(files).map(([binding, file]) => [
          binding,
          ({ url }: { readonly url: string }) => {
            const found = file(new URL(url).pathname.slice(1));
            return new Response(found, { status: found === undefined ? 404 : 200 });
          },
        ]),
      ),
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL('worker');
  return {
    url: origin,
    pids: namedBelow(process.pid, 'workerd').filter((pid) => !before.has(pid)),
    async fill(binding, files) {
      const bucket = await miniflare.getR2Bucket(binding, 'worker');
      const rest = [...files];
      const put = async () => {
        for (let next = rest.pop(); next; next = rest.pop()) await bucket.put(...next);
      };
      await Promise.all(Array.from({ length: PARALLEL_UPLOADS }, put));
    },
    close: () => miniflare.dispose(),
  };
}
