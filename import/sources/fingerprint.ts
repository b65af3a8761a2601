import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { filesBelow } from './files.ts';
import { findVaults } from './vaults.ts';

/** Whether an import reads from another machine, where changes cannot be detected from here. */
export function isRemote(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** A file or folder as an absolute path; addresses are unchanged. @param folder where relative paths start */
export function absoluteSource(path: string, folder = '.'): string {
  return isRemote(path) ? path : resolve(folder, path);
}

/** All files of an import: a database is also its write-ahead log, and the views over it. */
export function importedFiles({
  path,
  views,
}: {
  readonly path: string;
  readonly views?: string | undefined;
}): string[] {
  return views === undefined ? [path] : [path, `${path}-wal`, views];
}

/**
 * Detects changed files: a hash of their paths, sizes, and times of change, without reading them. An edit may keep its size
 * and its time of modification (`cp -p`, images with normalised times), but no program can set the time of change. Inodes
 * are left out: FAT and some FUSE file systems give an unchanged file a new number. Vaults of Obsidian count too: an empty
 * `.obsidian`, also above the folder, decides what is hidden. Empty if a path is an address.
 *
 * @param paths files, or folders with everything below them
 */
export async function computeFingerprint(paths: readonly string[]): Promise<string> {
  if (paths.some(isRemote)) return '';
  const hash = createHash('sha256');
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
    const found = isFolder ? await filesBelow(path) : [];
    const below = found.filter(({ kind }) => kind === 'file').map((file) => file.path);
    const root = await realpath(path).catch(() => path);
    if (isFolder) hash.update(`${findVaults(root, below).folders.join('\n')}\n`);
    const files = isFolder ? below.map((file) => join(path, file)) : [path];
    const states = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => null)));
    for (const [index, file] of files.entries()) {
      const state = states[index];
      // Readers make an empty write-ahead log, and remove it.
      const { size, mtimeNs, ctimeNs } = state?.size === 0n && file.endsWith('-wal') ? {} : (state ?? {});
      hash.update(`${file}\n${size} ${mtimeNs} ${ctimeNs}\n`);
    }
  }
  return hash.digest('base64url');
}
