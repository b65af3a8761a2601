import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { objectHash } from '../../common/object-hash.ts';

/** Files below a folder, with `/`, without those that the export keeps for itself. */
export function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => !name.startsWith('.offprint') && statSync(join(folder, name)).isFile())
    .sort();
}

/** The state of a file; a replaced file differs. */
export interface FileNow {
  readonly hash: string;
  readonly inode: bigint;
  readonly mtime: bigint;
}

/** All files of a tree, by their paths. */
export function stateOf(folder: string): Map<string, FileNow> {
  return new Map(
    filesIn(folder).map((path) => {
      const { ino: inode, mtimeNs: mtime } = statSync(join(folder, path), { bigint: true });
      return [path, { hash: objectHash(readFileSync(join(folder, path))), inode, mtime }];
    }),
  );
}

/** The hashes of the bytes of all files of a tree, by their paths. */
export function hashesOf(folder: string): Record<string, string> {
  return Object.fromEntries([...stateOf(folder)].map(([path, { hash }]) => [path, hash]));
}

/** The texts of all files of a tree, by their paths. */
export function treeIn(folder: string): Map<string, string> {
  return new Map(filesIn(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
