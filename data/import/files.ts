import type { Stats } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { PathUnreadable } from './errors.ts';

export type FoundFile =
  | { readonly path: string; readonly kind: 'file' }
  /** Named as skipped, with everything in it. */
  | { readonly path: string; readonly kind: 'skipped'; readonly reason: string };

/** Folders that hold no posts of this blog, whatever lies in them. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  '.git': 'is the folder of a version control system',
  '.hg': 'is the folder of a version control system',
  '.svn': 'is the folder of a version control system',
  node_modules: 'holds installed packages',
  '.jekyll-cache': 'holds what a site generator wrote',
  _site: 'holds what a site generator wrote',
};

/**
 * Everything below `folder`, in the order of the names' code units, so that each import sees the same.
 * Symbolic links are not followed: one may lead out of the folder, and what one inside leads to is
 * found at its own place.
 */
export async function* filesBelow(folder: string, below = ''): AsyncGenerator<FoundFile> {
  let entries;
  try {
    entries = await readdir(`${folder}/${below}`, { withFileTypes: true });
  } catch (error) {
    yield { path: below, kind: 'skipped', reason: `cannot be read (${codeOf(error)})` };
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const leftOut = Object.hasOwn(LEFT_OUT, entry.name) ? LEFT_OUT[entry.name] : undefined;
    if (entry.isSymbolicLink()) {
      yield { path, kind: 'skipped', reason: 'is a symbolic link, and these are not followed' };
    } else if (entry.isDirectory() && leftOut !== undefined) {
      yield { path: `${path}/`, kind: 'skipped', reason: leftOut };
    } else if (entry.isDirectory()) {
      yield* filesBelow(folder, path);
    } else if (entry.isFile()) {
      yield { path, kind: 'file' };
    } else {
      yield { path, kind: 'skipped', reason: 'is not a regular file' };
    }
  }
}

/**
 * What stands at a path that was given; null where there is nothing.
 *
 * @throws PathUnreadable
 */
export async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new PathUnreadable(path, code);
  }
}

/** @throws PathUnreadable */
export async function mustBeReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new PathUnreadable(path, codeOf(error));
  });
}

/** `EACCES` and the like, or the error's text. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
