import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blog } from './blogs.ts';
import { BUCKET_ENVIRONMENT } from './bucket-credentials.ts';
import type { Home, Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { createKey, revokeKey, rotateKey, setPlan } from './key-commands.ts';
import { type LocalPlatform, startPlatform } from './local-platform.ts';
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
  const start = () =>
    startPlatform({
      ...{ script, bucket: BUCKET, folder: join(folder, 'platform'), v8Flags },
      variables: { BUCKET_PREFIX: PREFIX, ADDRESS_SECRET: 'for this machine alone' },
      objects: { QUOTAS: 'QuotaObject' },
    });
  let platform: LocalPlatform = await start();
  let earlierLog = '';
  const to = () => ['--to', `s3://${BUCKET}/${PREFIX}`, '--endpoint', platform.endpoint];
  const publish = async (...buildOptions: readonly string[]) => {
    await answerOf(['build', ...files, ...buildOptions]);
    const force = buildOptions.filter((option) => option === '--force');
    return answerOf(['publish', '--out', out, '--config', config, ...to(), ...force], BUCKET_ENVIRONMENT);
  };
  await publish();

  return {
    db,
    out,
    publish,
    get endpoint() {
      return platform.endpoint;
    },
    get url() {
      return platform.url;
    },
    get log() {
      return earlierLog + platform.log;
    },
    folder,
    receivesRawRequests: false,
    from: (address) => ({ 'cf-connecting-ip': address }),
    createKey: (wish) => createKey([...files, ...to()], wish, BUCKET_ENVIRONMENT),
    setPlan: (account, plan) => setPlan([...files, ...to()], account, plan, BUCKET_ENVIRONMENT),
    revokeKey: (prefix) => revokeKey([...files, ...to()], prefix, BUCKET_ENVIRONMENT),
    rotateKey: (prefix) => rotateKey([...files, ...to()], prefix, BUCKET_ENVIRONMENT),
    stop: () => platform.close(),
    kill: () => platform.close(),
    async restart() {
      earlierLog += platform.log;
      platform = await start();
    },
    async close() {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
