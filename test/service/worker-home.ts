import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { writeLocalConfig } from '../../cli/worker-config.ts';
import { answerOf } from './in-process.ts';
import type { Blog } from './blogs.ts';
import type { Home, Service, Settings } from './home.ts';
import { createKey, revokeKey, rotateKey } from './key-commands.ts';
import {
  ACCESS_KEY_ID,
  BUCKET_ENVIRONMENT,
  S3_PATH,
  SECRET_ACCESS_KEY,
  startWrangler,
  WRANGLER,
  WRANGLER_ENVIRONMENT,
  type WranglerProcess,
} from './local-bucket.ts';

/** Where its blog is: `s3://BUCKET/PREFIX`. */
export const BUCKET = 'local-bucket';
export const PREFIX = 'a/blog';

/** Cloudflare, as Wrangler has it on one machine: build, upload to the bucket, Worker in workerd. */
export const workerHome: Home = {
  name: 'Worker',
  serve: (blog, settings) => serveWorker(blog, settings),
};

/** A service, and its bucket. */
export interface WorkerService extends Service {
  /** For `--endpoint`; another one after `restart`. */
  readonly endpoint: string;
  readonly out: string;
  /** Builds and uploads what the blog's database holds now; gives what `publish` answers. */
  publish(): Promise<unknown>;
  /** The database that is published. */
  readonly db: string;
}

/** @param main the path of another entry than the Worker's own */
export async function serveWorker(
  blog: Blog,
  settings: Settings = {},
  main?: string,
): Promise<WorkerService> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-worker-'));
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  const config = join(folder, 'offprint.json');
  copyFileSync(blog.db, db);
  writeFileSync(config, JSON.stringify(settings));
  const files = ['--db', db, '--out', out, '--config', config];
  const wranglerConfig = join(folder, 'wrangler.json');
  const bundle = await (bundles.get(main) ?? bundleWorker(main));
  writeLocalConfig(wranglerConfig, { ...LOCAL, main: bundle, bundled: true });
  await answerOf(['build', ...files]);
  const start = () => startWrangler(wranglerConfig, join(folder, '.wrangler', 'state'));
  let wrangler: WranglerProcess = await start();
  let earlierLog = '';
  const to = () => ['--to', `s3://${BUCKET}/${PREFIX}`, '--endpoint', wrangler.url + S3_PATH];
  const publish = async () => {
    await answerOf(['build', ...files]);
    return answerOf(['publish', '--out', out, '--config', config, ...to()], BUCKET_ENVIRONMENT);
  };
  await publish();

  return {
    db,
    out,
    publish,
    get endpoint() {
      return wrangler.url + S3_PATH;
    },
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
}

const LOCAL = {
  ...{ bucket: BUCKET, prefix: PREFIX },
  credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
};

/** By entry, for all services of a test file. */
const bundles = new Map<string | undefined, Promise<string>>();

/**
 * Bundles as `wrangler deploy` does, once. While it serves Wrangler would watch the sources and bundle them again,
 * which nobody needs here, and which ends in a deadlock of esbuild now and then.
 */
export function bundleWorker(main?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-bundle-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'wrangler.json');
  writeLocalConfig(config, { ...LOCAL, ...(main === undefined ? {} : { main }) });
  const args = [WRANGLER, 'deploy', '--dry-run', '--config', config, '--outdir', join(folder, 'bundle')];
  const env = { ...process.env, ...WRANGLER_ENVIRONMENT };
  const bundling = promisify(execFile)(process.execPath, args, { env }).then(() =>
    join(folder, 'bundle', `${basename(main ?? 'entry.ts', '.ts')}.js`),
  );
  bundles.set(main, bundling);
  return bundling;
}

/** Wrangler, not the Worker, prints each request with its URL on a developer's screen. */
function withoutAccessLog(log: string): string {
  return log.replace(/^.*\b(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) \/.*$/gm, '');
}
