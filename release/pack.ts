import { execFileSync } from 'node:child_process';
import { programFile } from '../common/program-files.ts';

/**
 * Runs `npm pack` on the folder of a package.
 *
 * @param into the folder for the file
 * @param runsScripts whether to run the package's scripts, such as `prepack`
 * @returns the file's name
 */
export function pack(folder: string, into: string, runsScripts = false): string {
  const args = ['pack', '--silent', `--ignore-scripts=${!runsScripts}`, '--pack-destination', into];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
}

/**
 * Packs the compiled package in `folder`, and the client, which its script compiles into client/dist/.
 *
 * @returns the files' names
 */
export function packAll(folder: string, into: string): string[] {
  return [pack(folder, into), pack(programFile('client'), into, true)];
}
