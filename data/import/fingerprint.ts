import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { LEFT_OUT } from './files.ts';

/** Whether an import reads from another machine: then nothing here tells that it has changed. */
export function isRemote(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Patterns of what no importer reads, though it changes all the time. */
export const UNREAD = Object.keys(LEFT_OUT).map((name) => `**/${name}/**`);

/**
 * Tells whether files changed since: a hash of their paths, sizes and times of change. Nothing is read of them.
 * The same while nothing changes; empty where a path is an address.
 *
 * @param paths files, or folders with all that is below them
 */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  if (paths.some(isRemote)) return '';
  // Only here: every command loads this module, and few look for files.
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
