import { build, type Metafile } from 'esbuild';
import { programFile } from '../common/program-files.ts';

export const WORKER_ENTRY = 'gateway/worker/entry.ts';

/**
 * Bundles the Worker into one file, like Wrangler with deploy/wrangler.jsonc: the runtime's modules stay external.
 *
 * @param outfile the path of the bundle
 * @param options.entry the path of another entry than the Worker's own
 * @param options.minify false for a bundle that Wrangler minifies later
 */
export async function bundleWorker(
  outfile: string,
  { entry = WORKER_ENTRY, minify = true }: { entry?: string | undefined; minify?: boolean } = {},
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: programFile('.'),
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    external: ['cloudflare:*'],
    minify,
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}
