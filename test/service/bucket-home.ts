import { join } from 'node:path';
import type { Blog } from './blogs.ts';
import { BUCKET_ENVIRONMENT } from './bucket-credentials.ts';
import type { Home, Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { keyCommands } from './key-commands.ts';
import { startLocalBucket } from './local-bucket.ts';
import { buildOnOneMachine } from './one-machine.ts';
import { restarting } from './restarting.ts';
import { startServer } from './server-process.ts';

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
  const parts = await restarting(serve, async () => {
    await close();
    remove();
  });
  return Object.assign(parts, service, keyCommands(files, BUCKET_ENVIRONMENT));
}
