import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compilePackage } from '../../release/compile.ts';
import { pack } from '../../release/pack.ts';
import { onceARun } from '../service/once-a-run.ts';

const run = promisify(execFile);

/** A folder with the package, packed by `npm pack` and installed by npm without install scripts. */
export function installedPackage(): Promise<string> {
  return onceARun('package', async (folder) => {
    const [compiled, packed] = [join(folder, 'compiled'), join(folder, 'packed')];
    await compilePackage(compiled);
    mkdirSync(packed);
    const tarball = pack(compiled, packed);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const options = [
      '--ignore-scripts',
      '--prefer-offline',
      '--fetch-retries=5',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    await run('npm', ['install', ...options, join(packed, tarball)], { cwd: folder });
  });
}

/** The program of an installed package, by the folder of the installation. */
export function programIn(folder: string): string {
  return join(folder, 'node_modules/offprint/cli/offprint.mjs');
}
