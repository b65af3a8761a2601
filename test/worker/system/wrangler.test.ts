/** `wrangler dev` serves its bucket. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { pointerOf } from '../../build/output.ts';
import { builtBlog, publishTo } from '../../publish/publishing.ts';
import { storedFiles } from '../../publish/stored-files.ts';
import { ACCESS_KEY_ID, SECRET_ACCESS_KEY } from '../../service/bucket-credentials.ts';
import { send } from '../../service/client.ts';
import { S3_PATH } from '../../service/local-platform.ts';
import { bundleWorker } from '../../service/worker-bundle.ts';
import { readWorkerConfig } from '../../service/worker-config.ts';
import { startWrangler } from '../../service/wrangler.ts';

test('wrangler dev serves what is published to its bucket, and counts', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'wrangler.json');
  const { $schema: _, ...deployed } = readWorkerConfig();
  // As in docs/operators/cloudflare.md.
  const credentials = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY };
  const bucket = {
    binding: 'BUCKET',
    bucket_name: 'my-blog',
    local_dev: { experimental_s3_credentials: credentials },
  };
  const main = await bundleWorker();
  writeFileSync(config, JSON.stringify({ ...deployed, main, no_bundle: true, r2_buckets: [bucket] }));
  writeFileSync(join(folder, '.dev.vars'), 'ADDRESS_SECRET="for this machine alone"\n');
  const { out } = await builtBlog(3);
  // Only here does Wrangler's watcher ignore it: elsewhere next to the configuration, each write would restart
  // workerd.
  const state = join(folder, '.wrangler', 'state');
  const wrangler = await startWrangler(config, state);
  onTestFinished(() => wrangler.close());
  const used = async () => {
    const reply = await send(wrangler.url, {
      path: `${PREFIX}/posts`,
      headers: { 'cf-connecting-ip': '198.51.100.1' },
    });
    return [reply.status, reply.header('x-quota-used')];
  };

  const endpoint = wrangler.url + S3_PATH;
  await publishTo(endpoint, 's3://my-blog', out);
  const stored = storedFiles({ endpoint, bucket: 'my-blog' }, '');
  expect((await stored.pointer()).snapshot).toBe(pointerOf(out).snapshot);
  expect(await stored.faults()).toEqual([]);
  expect(await used()).toEqual([200, '1']);
  expect(await used()).toEqual([200, '2']);
});
