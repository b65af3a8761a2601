import { closeSync, constants, existsSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError } from './errors.ts';
import { ensureFolder } from './output-files.ts';
import { codeOf, errorPath } from './thrown.ts';

const HAS_PROC = existsSync('/proc/self/fd');

/** A subfolder is a symbolic link, which may lead anywhere, or a file. */
export class FolderIsLink extends ExplainedError {
  constructor(path: string) {
    super(`${path} is a symbolic link or a file. Nothing was written through it. Remove it, then try again.`);
  }
}

/**
 * Works in a folder below `root`, which is created if it is missing and reached through no symbolic link.
 *
 * @param names of the folders between
 * @param work takes its path. On Linux this stays the same folder, even if a link replaces one of the names meanwhile
 * @throws FolderIsLink, and what `work` throws
 */
export function inRealFolder<T>(root: string, names: readonly string[], work: (folder: string) => T): T {
  const opened: number[] = [];
  let [folder, name] = [root, root];
  const open = (path: string, flags: number): string => {
    opened.push(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | flags));
    return HAS_PROC ? `/proc/self/fd/${opened.at(-1)}` : path;
  };
  try {
    folder = open(root, 0);
    for (const next of names) {
      ensureFolder(join(folder, next));
      // Windows has no O_DIRECTORY and no O_NOFOLLOW.
      if (!HAS_PROC && !lstatSync(join(folder, next)).isDirectory())
        throw new FolderIsLink(join(folder, next));
      folder = open(join(folder, next), constants.O_NOFOLLOW);
      name = join(name, next);
    }
    return work(folder);
  } catch (error) {
    const path = errorPath(error)?.replace(folder, name);
    if (
      opened.length <= names.length &&
      path !== undefined &&
      /^(?:ELOOP|ENOTDIR)$/.test(codeOf(error) ?? '')
    )
      throw new FolderIsLink(path);
    throw error instanceof Error && path !== undefined ? Object.assign(error, { path }) : error;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
