/**
 * The packaged Worker in Cloudflare's runtime, deployed and filled as in docs/operators/cloudflare.md.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { read } from '../../docs/documents.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { send } from '../../service/client.ts';
import { resultOf, spawnOffprint } from '../../service/command.ts';
import { startPlatform } from '../../service/local-platform.ts';
import { installedPackage, programIn } from '../installed.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../service/wrangler.ts';

test('serves what the package publishes', async () => {
  const folder = await installedPackage();
  const place = temporaryFolder();
  const script = readFileSync(join(folder, 'node_modules/offprint/worker/worker.js'), 'utf8');
  const platform = await startPlatform({
    script,
    bucket: 'my-blog',
    folder: join(place, 'platform'),
    variables: { BUCKET_PREFIX: '', ADDRESS_SECRET: 'for this machine alone' },
    objects: { QUOTAS: 'QuotaObject' },
  });
  onTestFinished(() => platform.close());
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await resultOf(
      spawnOffprint(args, place, BUCKET_ENVIRONMENT, programIn(folder)),
    );
    expect(code, stderr).toBe(0);
    return stdout;
  };
  await run('import', 'markdown', join(folder, 'node_modules/offprint/data/sample'));
  await run('build');
  const to = ['--to', 's3://my-blog', '--endpoint', platform.endpoint];
  await run('publish', ...to);
  const created = await run('keys', 'create', '--json', '--account', 'ada', '--name', 'site', ...to);
  const key = /opk_\w{8}_\w{38}/.exec(created)?.[0] ?? '';
  const ask = (path: string) =>
    send(platform.url, {
      path,
      headers: { 'cf-connecting-ip': '198.51.100.1', authorization: `Bearer ${key}` },
    });
  expect((await ask(`${PREFIX}/posts/brevity`)).status).toBe(200);
  expect((await ask(`${PREFIX}/me`)).text).toContain('"used":2');
});

test('is deployed by its configuration, from a folder with the package', async () => {
  const folder = temporaryFolder();
  symlinkSync(join(await installedPackage(), 'node_modules'), join(folder, 'node_modules'));
  const config = join(folder, 'wrangler.jsonc');
  copyFileSync(join(folder, 'node_modules/offprint/worker/wrangler.jsonc'), config);
  const own = read('deploy/wrangler.jsonc').split('\n');
  const differs = readFileSync(config, 'utf8')
    .split('\n')
    .filter((line, i) => line !== own[i]);
  expect(differs).toEqual([
    '  "$schema": "node_modules/wrangler/config-schema.json",',
    '  "main": "node_modules/offprint/worker/worker.js",',
  ]);
  const args = [WRANGLER, 'deploy', '--dry-run', '--outdir', temporaryFolder(), '--config', config];
  const env = { ...process.env, ...WRANGLER_ENVIRONMENT };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  for (const binding of ['QUOTAS', 'BUCKET', 'BUCKET_PREFIX']) expect(stdout).toContain(`env.${binding} `);
});
