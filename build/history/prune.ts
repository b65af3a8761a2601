import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashInPath, objectPath } from '../../contract/object-name.ts';
import { ALL_KINDS } from '../../contract/object-kinds.ts';
import { readLastPrune, writeLastPrune } from './last-prune.ts';
import { BuildMemory } from '../snapshot/memory.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { publications, requirePointer } from '../output/pointer-file.ts';
import { objectsOf, objectsOfLog } from './reachable.ts';

/** How long unreferenced objects stay: a gateway may still be reading them. */
export const GRACE_MS = 10 * 60_000;

/** How often builds prune. */
const INTERVAL_MS = 24 * 3_600_000;

export interface PruneReport {
  /** Objects removed, and their bytes. */
  readonly removed: number;
  readonly bytes: number;
  /** Objects that the kept snapshots name. */
  readonly kept: number;
}

/**
 * Removes the objects that no kept snapshot names. Safe to interrupt at any time.
 *
 * @param graceMs younger objects stay; 0: none, also of a clock that is ahead
 * @throws NothingPublished, PointerUnreadable, BuildRunning, OutputUnwritable
 */
export function prune(out: string, now: Date, graceMs: number): PruneReport {
  requirePointer(out); // Before the lock creates a folder at a mistyped path.
  const memory = BuildMemory.open(out);
  try {
    const kept = new Set<string>();
    const pointer = requirePointer(out);
    for (const { kind, hash } of objectsOfLog(pointer)) kept.add(objectPath(kind, hash));
    for (const { snapshot } of publications(pointer)) {
      if (!existsSync(join(out, objectPath('directory', snapshot)))) continue;
      for (const { kind, hash } of objectsOf(out, snapshot)) kept.add(objectPath(kind, hash));
    }
    let removed = 0;
    let bytes = 0;
    for (const path of objectFiles(out)) {
      if (kept.has(path)) continue;
      const { mtimeMs, size } = statSync(join(out, path));
      if (graceMs > 0 && now.getTime() - mtimeMs < graceMs) continue;
      guardingOutput(path, () => rmSync(join(out, path)));
      removed += 1;
      bytes += size;
    }
    writeLastPrune(out, now);
    return { removed, bytes, kept: kept.size };
  } finally {
    memory.close();
  }
}

/** Prunes once a day; undefined: not due yet. */
export function pruneIfDue(out: string, now: Date): PruneReport | undefined {
  const last = readLastPrune(out);
  if (last === null) {
    writeLastPrune(out, now);
    return undefined;
  }
  return now.getTime() - last.getTime() >= INTERVAL_MS ? prune(out, now, GRACE_MS) : undefined;
}

/** The paths of all objects in the output, from its root. */
function* objectFiles(out: string): Generator<string> {
  for (const kind of ALL_KINDS) {
    const folder = join(out, 'objects', kind);
    if (!existsSync(folder)) continue;
    for (const shard of readdirSync(folder)) {
      for (const file of readdirSync(join(folder, shard))) {
        const path = `objects/${kind}/${shard}/${file}`;
        if (hashInPath(path) !== null) yield path;
      }
    }
  }
}
