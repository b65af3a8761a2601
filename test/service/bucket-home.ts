import { join } from 'node:path';
import type { Blog } from './blogs.ts';
import { BUCKET_ENVIRONMENT } from './bucket-credentials.ts';
import type { Home, Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { createKey, revokeKey, rotateKey } from './key-commands.ts';
import { startLocalBucket } from './local-bucket.ts';
import { buildOnOneMachine } from './one-machine.ts';
import { startServer, type Server } from './server-process.ts';

/** A machine that serves from a bucket: the commands `build`, `publish` and `serve --from`. */
export const bucketHome: Home = { name: 'Node with a bucket', serve: serveFromBucket };

async function serveFromBucket(blog: Blog, settings: Settings = {}): Promise<Service> {
  const { out, config, service, remove } = await buildOnOneMachine(blog, settings);
  const { endpoint, bucket, close } = await startLocalBucket();
  const address = `s3://${bucket}/a/blog`;
  const to = ['--to', address, '--endpoint', endpoint];
  await answerOf(['publish', '--out', out, '--config', config, ...to], BUCKET_ENVIRONMENT);
  const local = join(service.folder, 'gateway');
  const files = ['--db', join(service.folder, 'blog.db'), '--out', out, '--config', config, ...to];
  const serve = () =>
    startServer(
      ['serve', '--from', address, '--endpoint', endpoint, '--out', local, '--config', config, '--port', '0'],
      undefined,
      BUCKET_ENVIRONMENT,
    );
  let server: Server = await serve();
  let earlierLog = '';

  return {
    ...service,
    get url() {
      return server.url;
    },
    get log() {
      return earlierLog + server.log;
    },
    createKey: (wish) => createKey(files, wish, BUCKET_ENVIRONMENT),
    revokeKey: (prefix) => revokeKey(files, prefix, BUCKET_ENVIRONMENT),
    rotateKey: (prefix) => rotateKey(files, prefix, BUCKET_ENVIRONMENT),
    stop: async () => {
      await server.end('SIGTERM');
    },
    kill: async () => {
      await server.end('SIGKILL');
    },
    async restart() {
      earlierLog += server.log;
      server = await serve();
    },
    async close() {
      await server.end('SIGKILL');
      await close();
      remove();
    },
  };
}
