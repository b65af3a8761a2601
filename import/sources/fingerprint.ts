import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from './files.ts';

/** Whether an import reads from another machine, where changes cannot be detected from here. */
export function isRemote(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/**
 * Detects changed files: a hash of their paths, sizes and modification times, without reading them. Empty if a path is
 * an address.
 *
 * @param paths files, or folders with everything below them
 */
export async function fingerprintOf(paths: readonly string[]): Promise<string> {
  if (paths.some(isRemote)) return '';
  const hash = createHash('sha256');
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
    const found = isFolder ? await filesBelow(path) : [];
    const files = isFolder
      ? found.filter(({ kind }) => kind === 'file').map((file) => join(path, file.path))
      : [path];
    const states = await Promise.all(files.map((file) => stat(file).catch(() => null)));
    for (const [index, file] of files.entries())
      hash.update(`${file}\n${states[index]?.size} ${states[index]?.mtimeMs}\n`);
  }
  return hash.digest('base64url');
}
