import type { Dirent, Stats } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../common/thrown.ts';
import { PathUnreadable } from '../errors.ts';

export type FoundFile =
  | { readonly path: string; readonly kind: 'file' }
  /** Reported as skipped, with its whole content. */
  | { readonly path: string; readonly kind: 'skipped'; readonly reason: string };

/** Folders that never contain posts of this blog. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  '.git': 'is the folder of a version control system',
  '.hg': 'is the folder of a version control system',
  '.svn': 'is the folder of a version control system',
  node_modules: 'holds installed packages',
  '.jekyll-cache': 'holds what a site generator wrote',
  _site: 'holds what a site generator wrote',
};

/** A pattern cannot match these characters in a name. */
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/**
 * All files below `folder`, sorted by the code units of their names, the same at each import. Symbolic links are not
 * followed: one may lead out of the folder, and a target inside is found at its own place.
 */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  return filesIn(folder, '');
}

/** @param below the path of a folder inside `root`; empty, or with a slash at its end */
async function filesIn(root: string, below: string): Promise<FoundFile[]> {
  try {
    const entries = await readdir(join(root, below), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return (await Promise.all(entries.map((entry) => filesAt(root, below + entry.name, entry)))).flat();
  } catch (error) {
    return [{ path: below.slice(0, -1), kind: 'skipped', reason: `cannot be read (${reasonOf(error)})` }];
  }
}

async function filesAt(root: string, path: string, entry: Dirent): Promise<FoundFile[]> {
  const leftOut = Object.hasOwn(LEFT_OUT, entry.name) ? LEFT_OUT[entry.name] : undefined;
  if (entry.isDirectory() && leftOut !== undefined)
    return [{ path: `${path}/`, kind: 'skipped', reason: leftOut }];
  if (LINE_BREAK.test(entry.name)) return [{ path, kind: 'skipped', reason: 'has a line break in its name' }];
  if (entry.isDirectory()) return filesIn(root, `${path}/`);
  if (entry.isFile()) return [{ path, kind: 'file' }];
  const reason = entry.isSymbolicLink()
    ? 'is a symbolic link, and these are not followed'
    : 'is not a regular file';
  return [{ path, kind: 'skipped', reason }];
}

/** The file or folder at a path that the user gave; null if there is none. @throws PathUnreadable */
export async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    const code = reasonOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new PathUnreadable(path, code);
  }
}

/** The first of these names that a folder has; null: none. @throws PathUnreadable */
export async function firstIn(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if ((await statOf(join(folder, name))) !== null) return name;
  return null;
}

/** @throws PathUnreadable */
export async function mustBeReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new PathUnreadable(path, reasonOf(error));
  });
}
