import { execFileSync } from 'node:child_process';

/**
 * Packs a package's folder by `npm pack`.
 *
 * @param into the folder for the file
 * @param runsScripts whether the package's own `prepack` makes what is packed
 * @returns the file's name
 */
export function pack(folder: string, into: string, runsScripts = false): string {
  const args = ['pack', '--silent', `--ignore-scripts=${!runsScripts}`, '--pack-destination', into];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
}
