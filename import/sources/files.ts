import { type Dirent, existsSync, readdir, type Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { withSlashes } from '../../common/slashes.ts';
import { reasonOf } from '../../common/thrown.ts';
import { FileIsFolder, ExportMissing, PathUnreadable } from '../errors.ts';

type FoundFile =
  | { readonly path: string; readonly kind: 'file' }
  /** Reported as skipped, with its whole content. */
  | { readonly path: string; readonly kind: 'skipped'; readonly reason: string };

/** Folders that never contain posts of this blog. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  '.git': 'is the folder of a version control system',
  '.hg': 'is the folder of a version control system',
  '.svn': 'is the folder of a version control system',
  node_modules: 'has installed packages',
  '.jekyll-cache': 'is the output of a site generator',
  _site: 'is the output of a site generator',
};

/** A pattern cannot match these characters in a name. */
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/**
 * All files below `folder`, sorted by the code units of their names, the same at each import. Symbolic links are not
 * followed: one may lead out of the folder, and a target inside is found at its own place.
 */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  const skipped: FoundFile[] = [];
  const { default: fastGlob } = await import('fast-glob'); // Every command loads this module, and few look for files.
  const entries = await fastGlob('**/*', {
    cwd: folder,
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    objectMode: true,
    fs: { readdir: readdirNaming(folder, (path, reason) => skipped.push({ path, kind: 'skipped', reason })) },
  });
  const found = entries.flatMap(({ path, dirent }): FoundFile[] => {
    if (dirent.isDirectory()) return [];
    if (dirent.isFile()) return [{ path, kind: 'file' }];
    const reason = dirent.isSymbolicLink()
      ? 'is a symbolic link, and these are not followed'
      : 'is not a regular file';
    return [{ path, kind: 'skipped', reason }];
  });
  return [...found, ...skipped]
    .map((file) => ({ file, key: file.path.replaceAll('/', '\0') })) // Sorts `a/b` before `a-b`.
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ file }) => file);
}

type Callback<T> = (error: NodeJS.ErrnoException | null, entries: T[]) => void;

/** Reads folders for fast-glob, and reports unreadable ones: fast-glob itself can only fail or skip them silently. */
function readdirNaming(root: string, name: (path: string, reason: string) => void) {
  function read(folder: string, callback: Callback<string>): void;
  function read(folder: string, options: { withFileTypes: true }, callback: Callback<Dirent>): void;
  function read(
    folder: string,
    ...args: [Callback<string>] | [{ withFileTypes: true }, Callback<Dirent>]
  ): void {
    if (args.length === 1) return readdir(folder, args[0]);
    const [options, callback] = args;
    const below = withSlashes(relative(root, folder));
    readdir(folder, options, (error, entries) => {
      if (error !== null) {
        name(below, `cannot be read (${reasonOf(error)})`);
        return callback(null, []);
      }
      callback(
        null,
        entries.filter((entry) => isLookedAt(entry, below === '' ? entry.name : `${below}/${entry.name}`)),
      );
    });
  }
  function isLookedAt(entry: Dirent, path: string): boolean {
    const leftOut = Object.hasOwn(LEFT_OUT, entry.name) ? LEFT_OUT[entry.name] : undefined;
    const isLeftOut = entry.isDirectory() && leftOut !== undefined;
    if (isLeftOut) name(`${path}/`, leftOut);
    else if (LINE_BREAK.test(entry.name)) name(path, 'has a line break in its name');
    else return true;
    return false;
  }
  return read;
}

/** The file or folder at a path that the user gave; null if there is none. @throws PathUnreadable */
export async function statIfExists(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    const code = reasonOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new PathUnreadable(path, code);
  }
}

/** A folder and those above it: at most up to the root of its repository, and never the home folder. */
export function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  const isLast = existsSync(join(folder, '.git')) || above === homedir() || above === dirname(above);
  return [folder, ...(isLast ? [] : foldersUp(above))];
}

/** The first of these names that a folder has; null: none. @throws PathUnreadable */
export async function firstIn(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if ((await statIfExists(join(folder, name))) !== null) return name;
  return null;
}

/** Its size in bytes. @throws ExportMissing, FileIsFolder, PathUnreadable */
export async function mustBeFile(path: string): Promise<number> {
  const found = await statIfExists(path);
  if (found === null) throw new ExportMissing(path);
  if (found.isDirectory()) throw new FileIsFolder(path);
  // A pipe could be read only once, and imports read more often.
  if (!found.isFile()) throw new PathUnreadable(path, 'not a file');
  await mustBeReadable(path);
  return found.size;
}

/** @throws PathUnreadable */
export async function mustBeReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw new PathUnreadable(path, reasonOf(error));
  });
}
