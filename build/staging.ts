/**
 * Where a build's new objects wait until all of them are durable: `out/state/staging`. Two forms:
 *
 *   nothing published yet   the tree as it will stand in the output, which one rename puts in place
 *   otherwise               one flat folder, since making and removing a few dozen folders for a few
 *                           dozen files would take longer than all the rest of a small publish
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensurePrivateFolder } from '../common/private-files.ts';
import { ensureFolder, ensureStateFolder, flush, guardingOutput } from '../common/output-files.ts';

/** From so many files on, the whole file system is flushed once, which is cheaper than each file. */
const MANY_FILES = 512;

const TREE = 'objects';
const SEPARATOR = '+';

/**
 * Where an object waits.
 *
 * @param path its place in the output, `objects/…`
 * @param isFirst nothing is published yet
 */
export function stagedPath(out: string, path: string, isFirst: boolean): string {
  return join(stagingFolder(out), isFirst ? path : path.replaceAll('/', SEPARATOR));
}

/** Removes what builds that were killed left behind, and makes room for the next. Under the lock alone. */
export function clearStaging(out: string): void {
  const folder = stagingFolder(out);
  guardingOutput(folder, () => {
    ensureStateFolder(out);
    ensurePrivateFolder(folder);
    for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true, force: true });
  });
}

/** Begins to flush what was staged so far, while more is being made: less is left to wait for at the end. */
export function flushAhead(out: string): void {
  if (process.platform === 'linux')
    spawn('sync', ['-f', out], { stdio: 'ignore' }).on('error', () => undefined);
}

/**
 * Makes all that was staged durable, and visible under its own name.
 *
 * @throws OutputUnwritable
 */
export function placeStaged(out: string): void {
  const staging = stagingFolder(out);
  guardingOutput(out, () => {
    const changed = existsSync(join(staging, TREE)) ? placeTree(out, staging) : placeFiles(out, staging);
    flushAll(out, changed);
  });
}

/** @returns the folders whose entries changed */
function placeTree(out: string, staging: string): string[] {
  const paths = filesIn(join(staging, TREE));
  flushAll(
    out,
    paths.map((path) => join(staging, TREE, path)),
  );
  renameSync(join(staging, TREE), join(out, TREE));
  const folders = new Set(paths.flatMap(foldersOf));
  return [out, ...[...folders].map((folder) => join(out, TREE, folder))];
}

/** @returns the folders whose entries changed */
function placeFiles(out: string, staging: string): string[] {
  const names = readdirSync(staging);
  flushAll(
    out,
    names.map((name) => join(staging, name)),
  );
  const folders = new Set<string>();
  for (const name of names) {
    renameInto(join(staging, name), join(out, ...name.split(SEPARATOR)), folders);
  }
  return [...folders];
}

function stagingFolder(out: string): string {
  return join(out, 'state', 'staging');
}

/** Paths from the folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((kind) =>
    readdirSync(join(folder, kind)).flatMap((shard) =>
      readdirSync(join(folder, kind, shard)).map((file) => join(kind, shard, file)),
    ),
  );
}

/** `a/b/c` is in `a/b`, `a` and `.`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** @param folders is told of each folder whose entries change */
function renameInto(staged: string, path: string, folders: Set<string>): void {
  const folder = dirname(path);
  if (!folders.has(folder)) {
    if (!existsSync(folder)) folders.add(dirname(folder)).add(dirname(dirname(folder)));
    ensureFolder(folder);
    folders.add(folder);
  }
  renameSync(staged, path);
}

/** Makes files, or the entries of folders, durable. @param out a folder on their file system */
export function flushAll(out: string, paths: readonly string[]): void {
  if (paths.length < MANY_FILES || !flushFileSystem(out)) for (const path of paths) flush(path);
}

/** syncfs(2), which Node does not offer, but `sync -f` of the GNU and BusyBox tools does. */
function flushFileSystem(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('sync', ['-f', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
