import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { writeLocalConfig } from '../../cli/worker-config.ts';
import { ACCESS_KEY_ID, SECRET_ACCESS_KEY } from './bucket-credentials.ts';
import { onceARun } from './once-a-run.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from './wrangler.ts';

/**
 * Bundles as `wrangler deploy` does.
 *
 * @param main the path of another entry than the Worker's own
 * @returns the path of the bundle
 */
export async function bundleWorker(main?: string): Promise<string> {
  const name = basename(main ?? 'entry.ts', '.ts');
  const folder = await onceARun(`bundle-${name}`, async (into) => {
    const config = join(into, 'wrangler.json');
    writeLocalConfig(config, {
      ...{ bucket: 'local-bucket', prefix: '' },
      credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
      ...(main === undefined ? {} : { main }),
    });
    const args = [WRANGLER, 'deploy', '--dry-run', '--config', config, '--outdir', into];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...WRANGLER_ENVIRONMENT } });
  });
  return join(folder, `${name}.js`);
}
