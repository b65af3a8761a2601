import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blog } from './blogs.ts';
import { BUCKET_ENVIRONMENT } from './bucket-credentials.ts';
import type { Home, Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { keyCommands } from './key-commands.ts';
import { startPlatform } from './local-platform.ts';
import { restarting } from './restarting.ts';
import { bundleWorker } from './worker-bundle.ts';

/** The location of its blog: `s3://BUCKET/PREFIX`. */
export const BUCKET = 'local-bucket';
export const PREFIX = 'a/blog';

/** A local Cloudflare: build, upload to the bucket, Worker in workerd. */
export const workerHome: Home = {
  name: 'Worker',
  serve: (blog, settings) => serveWorker(blog, settings),
};

/** A service, and its bucket. */
export interface WorkerService extends Service {
  /** For `--endpoint`; may change with `restart`. */
  readonly endpoint: string;
  readonly out: string;
  /** Builds and uploads the current blog; returns the answer of `publish`. */
  publish(...buildOptions: readonly string[]): Promise<unknown>;
  /** The database that is published. */
  readonly db: string;
}

/**
 * @param main the path of another entry than the Worker's own
 * @param v8Flags of the runtime
 */
export async function serveWorker(
  blog: Blog,
  settings: Settings = {},
  main?: string,
  v8Flags?: readonly string[],
): Promise<WorkerService> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-worker-'));
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  const config = join(folder, 'offprint.json');
  copyFileSync(blog.db, db);
  writeFileSync(config, JSON.stringify(settings));
  const files = ['--db', db, '--out', out, '--config', config];
  const script = readFileSync(await bundleWorker(main), 'utf8');
  const start = async () => {
    const platform = await startPlatform({
      script,
      bucket: BUCKET,
      folder: join(folder, 'platform'),
      v8Flags,
      variables: { BUCKET_PREFIX: PREFIX, ADDRESS_SECRET: 'for this machine alone' },
      objects: { QUOTAS: 'QuotaObject' },
    });
    return Object.assign(platform, { end: () => platform.close() });
  };
  const parts = await restarting(start, () => rmSync(folder, { recursive: true, force: true }));
  const to = () => ['--to', `s3://${BUCKET}/${PREFIX}`, '--endpoint', parts.running().endpoint];
  const keys = () => keyCommands([...files, ...to()], BUCKET_ENVIRONMENT);
  const publish = async (...buildOptions: readonly string[]) => {
    await answerOf(['build', ...files, ...buildOptions]);
    const force = buildOptions.filter((option) => option === '--force');
    return answerOf(['publish', '--out', out, '--config', config, ...to(), ...force], BUCKET_ENVIRONMENT);
  };
  await publish();

  const { stop, kill, restart, close } = parts;
  return {
    db,
    out,
    publish,
    folder,
    receivesRawRequests: false,
    stop,
    kill,
    restart,
    close,
    get endpoint() {
      return parts.running().endpoint;
    },
    get url() {
      return parts.url;
    },
    get log() {
      return parts.log;
    },
    from: (address) => ({ 'cf-connecting-ip': address }),
    createKey: (wish) => keys().createKey(wish),
    setPlan: (account, plan) => keys().setPlan(account, plan),
    revokeKey: (prefix) => keys().revokeKey(prefix),
    rotateKey: (prefix) => keys().rotateKey(prefix),
  };
}
