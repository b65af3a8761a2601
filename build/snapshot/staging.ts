/**
 * The staging folder for new objects, until all of them are durable: `out/state/staging`. Two layouts:
 *
 *   nothing published yet   the same tree as in the output, put in place by one rename
 *   otherwise               one flat folder: creating and removing a few dozen folders for a few dozen
 *                           files would take longer than the rest of a small publish
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flushInBackground } from '../../common/flush.ts';
import { ensurePrivateFolder } from '../../common/private-files.ts';
import {
  ensureFolder,
  ensureStateFolder,
  guardingOutput,
  guardingOutputUntil,
} from '../../common/output-files.ts';
import { rename } from '../../common/rename.ts';
import { inParallel } from './parallel.ts';

/** From this many files on, the whole file system is flushed once, which is cheaper than each file. */
const MANY_FILES = 512;
/** Node flushes four at once, and the next are ready. */
const FLUSH_CONCURRENCY = 16;

const TREE = 'objects';
const SEPARATOR = '+';

/**
 * The staging path of an object.
 *
 * @param path in the output: `objects/…`
 * @param isFirst nothing is published yet
 */
export function stagedPath(out: string, path: string, isFirst: boolean): string {
  return join(stagingFolder(out), isFirst ? path : path.replaceAll('/', SEPARATOR));
}

/** Creates the staging folder, and empties it of files from killed builds. Only under the build lock. */
export function clearStaging(out: string): void {
  const folder = stagingFolder(out);
  guardingOutput(folder, () => {
    ensureStateFolder(out);
    ensurePrivateFolder(folder);
    for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true, force: true });
  });
}

/** Starts to flush the files staged so far in the background, so that the final flush takes less time. */
export function flushAhead(out: string): void {
  if (process.platform === 'linux')
    spawn('sync', ['-f', out], { stdio: 'ignore' }).on('error', () => undefined);
}

/**
 * Makes all staged objects durable, and renames them to their final paths.
 *
 * @throws OutputUnwritable
 */
export async function placeStaged(out: string): Promise<void> {
  const staging = stagingFolder(out);
  await guardingOutputUntil(out, async () => {
    const isTree = existsSync(join(staging, TREE));
    const changed = isTree ? await placeTree(out, staging) : await placeFiles(out, staging);
    await flushAll(out, 'folder', changed);
  });
}

/** @returns the folders whose entries changed */
async function placeTree(out: string, staging: string): Promise<string[]> {
  const tree = join(staging, TREE);
  // Not as a list: a million posts have as many files.
  await flushAll(out, 'file', { [Symbol.iterator]: () => filesIn(tree) });
  rename(tree, join(out, TREE));
  return [out, ...foldersIn(join(out, TREE))];
}

/** @returns the folders whose entries changed */
async function placeFiles(out: string, staging: string): Promise<string[]> {
  const names = readdirSync(staging);
  await flushAll(
    out,
    'file',
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

/** The files of a tree of objects: KIND/SHARD/FILE. */
function* filesIn(tree: string): Generator<string> {
  for (const kind of readdirSync(tree))
    for (const shard of readdirSync(join(tree, kind)))
      for (const file of readdirSync(join(tree, kind, shard))) yield join(tree, kind, shard, file);
}

/** The folders of such a tree, and itself. */
function foldersIn(tree: string): string[] {
  const kinds = readdirSync(tree).map((kind) => join(tree, kind));
  const shards = kinds.flatMap((kind) => readdirSync(kind).map((shard) => join(kind, shard)));
  return [tree, ...kinds, ...shards];
}

/** @param folders receives each folder whose entries change */
function renameInto(staged: string, path: string, folders: Set<string>): void {
  const folder = dirname(path);
  if (!folders.has(folder)) {
    if (!existsSync(folder)) folders.add(dirname(folder)).add(dirname(dirname(folder)));
    ensureFolder(folder);
    folders.add(folder);
  }
  rename(staged, path);
}

/**
 * Makes files, or the entries of folders, durable. Several at once: the file system's journal then takes them together, which
 * was 10 to 30 times as fast on ext4 as one after another.
 *
 * @param out a folder on their file system
 */
export async function flushAll(out: string, kind: 'file' | 'folder', paths: Iterable<string>): Promise<void> {
  if (atLeast(MANY_FILES, paths) && flushFileSystem(out)) return;
  await inParallel([...paths], FLUSH_CONCURRENCY, (path) => flushInBackground(kind, path));
}

function atLeast(count: number, items: Iterable<unknown>): boolean {
  let seen = 0;
  for (const _ of items) if (++seen >= count) return true;
  return false;
}

/** syncfs(2), by `sync -f` of the GNU and BusyBox tools, because Node has no function for it. */
function flushFileSystem(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('sync', ['-f', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
