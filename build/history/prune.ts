import { packPath } from '../../contract/pack.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { publications } from '../output/pointer-file.ts';
import { splitBatches } from '../snapshot/parallel.ts';
import { FolderStorage, PRUNES } from './folder-storage.ts';
import { logPaths, objectsIn } from './reachable.ts';
import type { FileEntry, SnapshotStorage } from './storage.ts';

/** How often builds prune. */
const INTERVAL_MS = 24 * 3_600_000;

/** As many as a bucket removes with one request. */
const BATCH = 1000;

/** Of this and earlier formats. */
const OBJECT = /^objects\/\w+\/..\/[a-z2-7]{26}(?:\.json)?$/;

interface PruneReport {
  /** Files removed, and their bytes. */
  readonly removed: number;
  readonly bytes: number;
  /** Objects that the kept snapshots name. */
  readonly kept: number;
}

/**
 * Removes the objects and packs that no kept snapshot needs. Safe to interrupt at any time.
 *
 * @param graceMs younger files stay; 0: none, also of a clock that is ahead
 * @throws the errors of `whilePruning`, SnapshotIncomplete
 */
export async function prune(storage: SnapshotStorage, graceMs = storage.graceMs): Promise<PruneReport> {
  return storage.whilePruning(async ({ pointer, now, remove }) => {
    const objects = await keptObjects(storage, pointer);
    const isOld = ({ modified }: FileEntry) => graceMs === 0 || now.getTime() - modified.getTime() >= graceMs;
    const old = await oldPacks(storage, publications(pointer), isOld);
    for await (const file of storage.list('objects/')) {
      // Never remove files that are not objects, of this or an earlier format.
      if (!objects.has(file.path) && OBJECT.test(file.path) && isOld(file)) old.push(file);
    }
    let [removed, bytes] = [0, 0];
    for (const batch of splitBatches(old, BATCH)) {
      const size = batch.reduce((sum, file) => sum + file.size, 0);
      if (!(await remove(batch.map(({ path }) => path)))) break;
      removed += batch.length;
      bytes += size;
    }
    return { removed, bytes, kept: objects.size };
  });
}

/** Prunes an output once a day; undefined: not due yet. */
export async function pruneIfDue(out: string, now: Date): Promise<PruneReport | undefined> {
  const last = PRUNES.of(out)?.report?.at;
  if (last !== undefined && now.getTime() - Date.parse(last) >= INTERVAL_MS)
    return prune(new FolderStorage(out, { now: () => now }));
  if (last === undefined) PRUNES.recordSuccess(out, { at: now.toISOString() });
  return undefined;
}

async function keptObjects(storage: SnapshotStorage, pointer: Pointer): Promise<ReadonlySet<string>> {
  const kept = logPaths(pointer);
  for (const { snapshot } of publications(pointer)) {
    try {
      for (const path of await objectsIn(storage, snapshot)) kept.add(path);
    } catch (error) {
      // An earlier snapshot that is incomplete cannot be rolled back to, and keeps no objects.
      if (snapshot === pointer.snapshot || !(error instanceof SnapshotIncomplete)) throw error;
    }
  }
  return kept;
}

/** The packs of snapshots that are no longer kept. */
async function oldPacks(
  storage: SnapshotStorage,
  kept: readonly Publication[],
  isOld: (file: FileEntry) => boolean,
): Promise<FileEntry[]> {
  const packs: FileEntry[] = [];
  for await (const file of storage.list('packs/'))
    if (/^packs\/(?:articles\/)?[a-z2-7]{26}$/.test(file.path)) packs.push(file);
  if (packs.length === 0) return []; // In a folder there are none.
  const needed = new Set(kept.map(({ snapshot }) => packPath(snapshot)));
  return packs.filter((file) => !needed.has(file.path) && isOld(file));
}
