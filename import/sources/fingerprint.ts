import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { LEFT_OUT } from './files.ts';

/** Whether an import reads from another machine, where changes cannot be detected from here. */
export function isRemote(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Patterns of files that change all the time and that no importer reads. */
export const UNREAD = Object.keys(LEFT_OUT).map((name) => `**/${name}/**`);

/**
 * Detects changed files: a hash of their paths, sizes and modification times, without reading them. Empty if a path is
 * an address.
 *
 * @param paths files, or folders with everything below them
 */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  if (paths.some(isRemote)) return '';
  // Imported here because every command loads this module, and few look for files.
  const { default: fastGlob } = await import('fast-glob');
  const hash = createHash('sha256');
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    hash.update(`${path}\n${found?.isDirectory() === false ? `${found.size} ${found.mtimeMs}` : ''}\n`);
    if (!found?.isDirectory()) continue;
    const files = await fastGlob('**/*', {
      ...{
        cwd: path,
        dot: true,
        stats: true,
        followSymbolicLinks: false,
        suppressErrors: true,
        ignore: UNREAD,
      },
    });
    const lines = files.map(({ path: file, stats }) => `${file} ${stats?.size} ${stats?.mtimeMs}`);
    for (const line of lines.sort()) hash.update(`${line}\n`);
  }
  return hash.digest('base64url');
}
