import { basename, join } from 'node:path';
import { bundleWorker as bundleInto } from '../../release/worker-bundle.ts';
import { onceARun } from './once-a-run.ts';

/**
 * Bundles the Worker once per test run.
 *
 * @param main the path of another entry than the Worker's own
 * @returns the path of the bundle
 */
export async function bundleWorker(main?: string): Promise<string> {
  const name = basename(main ?? 'entry.ts', '.ts');
  const folder = await onceARun(
    `bundle-${name}`,
    async (into) => void (await bundleInto(join(into, 'worker.js'), { entry: main })),
  );
  return join(folder, 'worker.js');
}
