/**
 * Cloudflare on this machine: Miniflare, the core of `wrangler dev`, with workerd. Wrangler would put two more processes in
 * front of them, which take most of the processor time; it is started in test/worker/wrangler.test.ts.
 */
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { readWorkerConfig } from '../../cli/worker-config.ts';
import { ACCESS_KEY_ID, SECRET_ACCESS_KEY } from './bucket-credentials.ts';

/** The S3 API of local buckets: `ORIGIN/S3_PATH/BUCKET/KEY`. Signatures are checked. */
export const S3_PATH = '/cdn-cgi/local/r2/s3';

export interface PlatformOptions {
  /** A Worker in one module. */
  readonly script: string;
  /** The name of its bucket, `BUCKET` to the Worker. */
  readonly bucket: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Bindings of its Durable Objects, and their classes. */
  readonly objects?: Readonly<Record<string, string>>;
  /** Where the bucket and Durable Objects are kept. */
  readonly folder: string;
}

/** A Worker that is served, with its bucket. */
export interface LocalPlatform {
  /** Scheme, host and port. */
  readonly url: string;
  /** Of the bucket, for `--endpoint`. */
  readonly endpoint: string;
  /** What the Worker has printed. */
  readonly log: string;
  /** Ends it as a power cut does. */
  close(): Promise<void>;
}

/** Starts a Worker, in a runtime that behaves as wrangler.jsonc says. */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  const { script, bucket, folder, variables = {}, objects = {} } = options;
  let log = '';
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{ name: 'local', compatibilityDate: String(readWorkerConfig()['compatibility_date']), cf: false },
      ...{ log: new NoOpLog(), logRequests: false },
      handleStructuredLogs: ({ message }) => void (log += `${message}\n`),
      modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
      bindings: { ...variables },
      durableObjects: Object.fromEntries(
        Object.entries(objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
      ),
      resourcePersistencePath: folder,
      r2Buckets: {
        BUCKET: {
          id: bucket,
          s3Credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
        },
      },
      // Requests reach the Worker as they come, and not by way of one of Miniflare's own.
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  const { origin } = await miniflare.ready;
  const { origin: url } = await miniflare.unsafeGetDirectURL('local');
  return {
    url,
    endpoint: origin + S3_PATH,
    get log() {
      return log;
    },
    close: () => miniflare.dispose(),
  };
}
