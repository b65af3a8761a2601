import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The credentials of the local bucket. */
export const ACCESS_KEY_ID = 'local-access-key';
export const SECRET_ACCESS_KEY = 'local-secret-access-key';

/** The variables by which commands get them. */
export const BUCKET_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
};

/** The field `local_dev` of a bucket's binding: Wrangler then offers it over the S3 API, signatures checked. */
export const LOCAL_DEV = {
  experimental_s3_credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
} as const;

/** Below Wrangler's own address: `ENDPOINT/BUCKET/KEY`. */
export const S3_PATH = '/cdn-cgi/local/r2/s3';

export const WRANGLER = fileURLToPath(
  new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url),
);
/** Wrangler asks nothing, and tells nobody that it runs. */
/** Its own traces of requests, keys and all, are no business of the service. */
export const WRANGLER_ENVIRONMENT = {
  ...{ CI: '1', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  X_LOCAL_OBSERVABILITY: 'false',
};

/** On an idle machine it takes three seconds. */
const START_TIMEOUT_MS = 120_000;

/** A running `wrangler dev`. */
export interface WranglerProcess {
  /** Scheme, host and port. */
  readonly url: string;
  readonly log: string;
  close(): Promise<void>;
}

/** Another process may take the free port first, and esbuild's watcher ends in a deadlock now and then. */
const START_ATTEMPTS = 4;

/**
 * Starts `wrangler dev` on a free port.
 *
 * @param config the path of its configuration
 * @param state the folder in which it keeps buckets and Durable Objects
 * @throws Error with all that it printed, where it ends before it is ready, or is not ready in time
 */
export async function startWrangler(config: string, state: string): Promise<WranglerProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(config, state);
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(config: string, state: string): Promise<WranglerProcess> {
  const args = ['dev', '--config', config, '--persist-to', state, '--ip', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, [WRANGLER, ...args, '--show-interactive-dev-session=false'], {
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A group of its own, so that workerd ends with it.
  });
  let log = '';
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  const end = async () => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
    }
  };
  process.on('exit', kill);

  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timeout);
      void end().then(() => reject(new Error(`wrangler dev ${why}:\n${log}`)));
    };
    const timeout = setTimeout(() => fail('did not get ready'), START_TIMEOUT_MS);
    void ended.then(() => fail('ended'));
    const read = (text: string) => {
      log += text;
      const address = /Ready on (http:\/\/[\d.]+:\d+)/.exec(log)?.[1];
      if (address === undefined) return;
      clearTimeout(timeout);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
  });
  return {
    url,
    get log() {
      return log;
    },
    close: end,
  };
}

/** A bucket of Wrangler's, in workerd, with its S3 API. */
export interface LocalBucket {
  /** For `--endpoint`. */
  readonly endpoint: string;
  /** Its name, for `--to s3://BUCKET`. */
  readonly bucket: string;
  close(): Promise<void>;
}

const NO_WORKER = `export default { fetch: () => new Response('Here is a bucket alone.', { status: 404 }) };`;

/** Starts Wrangler with an empty bucket, and no Worker that would serve from it. */
export async function startLocalBucket(bucket = 'local-bucket'): Promise<LocalBucket> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-bucket-'));
  const config = join(folder, 'wrangler.json');
  writeFileSync(join(folder, 'worker.js'), NO_WORKER);
  writeFileSync(
    config,
    JSON.stringify({
      name: 'bucket-alone',
      main: 'worker.js',
      no_bundle: true,
      compatibility_date: '2026-10-01',
      r2_buckets: [{ binding: 'BUCKET', bucket_name: bucket, local_dev: LOCAL_DEV }],
    }),
  );
  // Only here does Wrangler's watcher ignore it: elsewhere next to the worker, each write would start workerd again.
  const wrangler = await startWrangler(config, join(folder, '.wrangler', 'state'));
  return {
    endpoint: wrangler.url + S3_PATH,
    bucket,
    async close() {
      await wrangler.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
