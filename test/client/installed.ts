import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onceARun } from '../service/once-a-run.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An empty folder into which npm has installed the client, as packed by `npm pack`. */
export function installedClient(): Promise<string> {
  return onceARun('client', async (folder) => {
    const npm = (cwd: string, ...args: string[]) =>
      run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    // Without the settings of the checkout's .npmrc, which npm passes to its child processes.
    await npm(join(ROOT, 'client'), 'pack', '--ignore-scripts=false', '--pack-destination', packed);
    const [tarball = ''] = readdirSync(packed);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    await npm(folder, 'install', join(packed, tarball));
  });
}

/** The JavaScript of an installed client, by file name; `index.js` is the entry point. */
export async function clientModules(): Promise<ReadonlyMap<string, string>> {
  const dist = join(await installedClient(), 'node_modules/offprint-client/dist');
  const names = readdirSync(dist).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readFileSync(join(dist, name), 'utf8')]));
}
