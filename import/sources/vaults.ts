import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { foldersUp } from './files.ts';

/** A file that is a note, by its path. */
export const NOTE = /\.(?:md|markdown)$/i;

/** The vaults of Obsidian around and among the imported files. */
export interface Vaults {
  /** Their folders, for messages. */
  readonly folders: readonly string[];
  readonly hasNote: (path: string) => boolean;
  /**
   * The file that a note names, as Obsidian finds it: anywhere, by the end of its path. Outside a vault, as GitHub does: a note at
   * the path from this one. Null: there is none.
   */
  readonly fileNamed: (name: string, note: string) => string | null;
}

/**
 * Finds vaults by their folder `.obsidian`: in the imported folder, below it, or above it, at most in the root of a
 * repository, and never in the home folder.
 *
 * @param root a real path
 * @param paths all files below it
 */
export function findVaults(root: string, paths: readonly string[]): Vaults {
  const folders = [...new Set(paths.flatMap(folderPaths))];
  const below = folders.filter((folder) => existsSync(join(root, folder, '.obsidian')));
  const above = below.includes('') ? null : vaultAbove(root);
  const byName = Map.groupBy(paths, (path) => posix.basename(folded(path)));
  const hasNote = (path: string): boolean =>
    above !== null || folderPaths(path).some((folder) => below.includes(folder));
  return {
    folders: [...(above === null ? [] : [above]), ...below.map((folder) => join(root, folder))],
    hasNote,
    fileNamed(name, note) {
      if (!hasNote(note)) return NOTE.test(name) ? posix.join(posix.dirname(note), name) : null;
      const wanted = folded(/^\.{1,2}\//.test(name) ? posix.join(posix.dirname(note), name) : name);
      const isNear = (path: string): number => Number(posix.dirname(path) === posix.dirname(note));
      const [found] = [wanted, `${wanted}.md`]
        .flatMap((end) =>
          (byName.get(posix.basename(end)) ?? []).filter((path) => endAlike(folded(path), end)),
        )
        .toSorted((a, b) => isNear(b) - isNear(a) || a.length - b.length);
      return found ?? null;
    },
  };
}

/** The imported folder (empty), and those in it that hold a file: ``, `a`, `a/b` for `a/b/c.md`. */
function folderPaths(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, i) => names.slice(0, i + 1).join('/'))];
}

function vaultAbove(root: string): string | null {
  return foldersUp(root).find((folder) => folder !== root && existsSync(join(folder, '.obsidian'))) ?? null;
}

/** Obsidian ignores case. */
function folded(path: string): string {
  return path.normalize().toLowerCase().replace(/^\/+/, '');
}

/** A link names as much of a path as it needs; the imported folder may be a part of the vault, and have less of it. */
function endAlike(one: string, other: string): boolean {
  return `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`);
}
