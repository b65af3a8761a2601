/**
 * A local Cloudflare: Miniflare with workerd, which `wrangler dev` uses too. Wrangler would add two processes that
 * take most of the CPU time; test/worker/system/wrangler.test.ts starts it.
 */
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { readWorkerConfig } from './worker-config.ts';
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
  /** The folder of the bucket and of Durable Objects. */
  readonly folder: string;
  /** Flags of the runtime's V8. */
  readonly v8Flags?: readonly string[] | undefined;
}

/** A served Worker with its bucket. */
export interface LocalPlatform {
  /** Scheme, host and port. */
  readonly url: string;
  /** The URL of the bucket, for `--endpoint`. */
  readonly endpoint: string;
  /** The Worker's output. */
  readonly log: string;
  /** Kills it, like a power failure. */
  close(): Promise<void>;
}

/** Starts a Worker, in a runtime configured as in deploy/wrangler.jsonc. */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  const { script, bucket, folder, variables = {}, objects = {}, v8Flags = [] } = options;
  // Miniflare has no option for these. It reads them while it starts.
  if (v8Flags.length > 0) process.env['MINIFLARE_WORKERD_V8_FLAGS'] = v8Flags.join(' ');
  let log = '';
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'local',
      compatibilityDate: String(readWorkerConfig()['compatibility_date']),
      cf: false,
      log: new NoOpLog(),
      logRequests: false,
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
      // Requests reach the Worker directly, not through Miniflare's own Worker.
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  const { origin } = await miniflare.ready;
  delete process.env['MINIFLARE_WORKERD_V8_FLAGS'];
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
