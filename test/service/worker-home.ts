import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { offprintJson } from './command.ts';
import type { Home, Service } from './home.ts';
import { createKey, revokeKey, rotateKey } from './key-commands.ts';
import {
  BUCKET_ENVIRONMENT,
  LOCAL_DEV,
  S3_PATH,
  startWrangler,
  type WranglerProcess,
} from './local-bucket.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUCKET = 'local-bucket';
const PREFIX = 'a/blog';

/** Cloudflare, as Wrangler has it on one machine: build, upload to the bucket, Worker in workerd. */
export const workerHome: Home = {
  name: 'Worker',

  async serve(blog, settings = {}): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'offprint-worker-'));
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const config = join(folder, 'offprint.json');
    copyFileSync(blog.db, db);
    writeFileSync(config, JSON.stringify(settings));
    const files = ['--db', db, '--out', out, '--config', config];
    await offprintJson(['build', ...files]);

    const wranglerConfig = writeWorkerConfig(folder);
    const start = () => startWrangler(wranglerConfig, join(folder, 'state'));
    let wrangler: WranglerProcess = await start();
    let earlierLog = '';
    const to = () => ['--to', `s3://${BUCKET}/${PREFIX}`, '--endpoint', wrangler.url + S3_PATH];
    await offprintJson(['publish', '--out', out, '--config', config, ...to()], BUCKET_ENVIRONMENT);

    return {
      get url() {
        return wrangler.url;
      },
      get log() {
        return withoutAccessLog(earlierLog + wrangler.log);
      },
      folder,
      hearsEverything: false,
      from: (address) => ({ 'cf-connecting-ip': address }),
      createKey: (wish) => createKey([...files, ...to()], wish, BUCKET_ENVIRONMENT),
      revokeKey: (prefix) => revokeKey([...files, ...to()], prefix, BUCKET_ENVIRONMENT),
      rotateKey: (prefix) => rotateKey([...files, ...to()], prefix, BUCKET_ENVIRONMENT),
      stop: () => wrangler.close(),
      kill: () => wrangler.close(),
      async restart() {
        earlierLog += wrangler.log;
        wrangler = await start();
      },
      async close() {
        await wrangler.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

/** What a test changes of `wrangler.jsonc`. */
export interface WorkerChanges {
  /** The path of another entry. */
  readonly main?: string;
}

/**
 * Writes `wrangler.jsonc` as it is, but for a local bucket, and a secret.
 *
 * @returns its path
 */
export function writeWorkerConfig(folder: string, changes: WorkerChanges = {}): string {
  const path = join(folder, 'wrangler.json');
  const { $schema, ...config } = readWorkerConfig();
  writeFileSync(
    path,
    JSON.stringify({
      ...config,
      main: changes.main ?? join(ROOT, String(config['main'])),
      vars: { BUCKET_PREFIX: PREFIX },
      r2_buckets: [{ binding: 'BUCKET', bucket_name: BUCKET, local_dev: LOCAL_DEV }],
    }),
  );
  writeFileSync(join(folder, '.dev.vars'), 'ADDRESS_SECRET="a secret of the tests alone"\n');
  return path;
}

/** `wrangler.jsonc`, in which each comment has a line of its own. */
export function readWorkerConfig(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, 'wrangler.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, ''));
}

/** Where the Worker of the tests finds its blog: `s3://BUCKET/PREFIX`. */
export const PUBLISHED_AT = `s3://${BUCKET}/${PREFIX}`;

/** Wrangler, not the Worker, prints each request with its URL on a developer's screen. */
function withoutAccessLog(log: string): string {
  return log.replace(/^.*\b(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) \/.*$/gm, '');
}
