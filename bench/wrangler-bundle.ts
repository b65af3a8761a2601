import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeLocalConfig } from '../cli/worker-config.ts';

export const WRANGLER = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url));

/** No prompts, no telemetry, no log files. */
export const WRANGLER_ENVIRONMENT = {
  ...{ CI: '1', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  X_LOCAL_OBSERVABILITY: 'false',
};

/**
 * Bundles a Worker into a folder, as `wrangler deploy` does, without deploying it.
 *
 * @param main the path of another entry than the Worker's own
 * @returns the path of the bundle
 * @throws Error with Wrangler's output
 */
export async function bundleWorker(folder: string, main?: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'wrangler.json');
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  writeLocalConfig(config, {
    ...{ bucket: 'none', prefix: '', credentials },
    ...(main === undefined ? {} : { main }),
  });
  const args = [WRANGLER, 'deploy', '--dry-run', '--config', config, '--outdir', folder];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...WRANGLER_ENVIRONMENT } });
  return join(folder, `${basename(main ?? 'entry.ts', '.ts')}.js`);
}
