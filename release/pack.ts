import { execFileSync } from 'node:child_process';

/**
 * Packs a package's folder by `npm pack`.
 *
 * @param into the folder for the file
 * @returns the file's name
 */
export function pack(folder: string, into: string): string {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', into, folder];
  return execFileSync('npm', args, { encoding: 'utf8' }).trim();
}
