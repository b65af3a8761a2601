import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeLog } from '../../contract/change-log.ts';
import { objectPath } from '../../contract/object-name.ts';
import { type Pointer, type Publication, requireFormat } from '../../contract/pointer.ts';
import { updateChangeLog } from '../snapshot/change-log.ts';
import { NoSuchSnapshot, SnapshotIncomplete, SnapshotWithdrawn } from '../errors.ts';
import { publishedLimits } from '../output/guards.ts';
import { readLastBuild } from '../output/last-build.ts';
import { guardRollback } from '../output/plans.ts';
import { BuildMemory } from '../snapshot/memory.ts';
import { ObjectWriter } from '../snapshot/object-writer.ts';
import { publications, requireAnyPointer, writePointer } from '../output/pointer-file.ts';
import { clearStaging, placeStaged } from '../snapshot/staging.ts';
import { objectsOf, slugsOf } from './reachable.ts';

/**
 * Makes an earlier snapshot the current one, and holds it: builds publish nothing until `release`. Running gateways
 * follow within seconds.
 *
 * @param id of a kept snapshot, or its first characters
 * @param now the time of the rollback
 * @param force also to other limits
 * @throws NothingPublished, PointerUnreadable, NoSuchSnapshot, RollbackChangesLimits, SnapshotWithdrawn, SnapshotIncomplete, BuildRunning, OutputUnwritable
 */
export function rollBack(out: string, id: string, now: Date, force = false): Promise<Publication> {
  return changingPointer(out, async (pointer) => {
    const target = keptSnapshot(requireFormat(pointer), id);
    if (!force)
      guardRollback(out, publishedLimits(out, pointer.snapshot), publishedLimits(out, target.snapshot));
    refuseWithdrawn(out, pointer, target);
    for (const { kind, hash } of objectsOf(out, target.snapshot)) {
      const path = objectPath(kind, hash);
      if (!existsSync(join(out, path))) throw new SnapshotIncomplete(target.snapshot, path);
    }
    clearStaging(out);
    const store = new ObjectWriter(out, 'trusted');
    const changes = await updateChangeLog(pointer, target.snapshot, {
      now: Math.floor(now.getTime() / 1000),
      store,
    });
    await placeStaged(out);
    writePointer(out, rolledBackTo(pointer, target, changes));
    return target;
  });
}

/**
 * A build with another database, or a withdrawal that was killed, may have left a snapshot with a withdrawn article.
 *
 * @throws SnapshotWithdrawn
 */
function refuseWithdrawn(out: string, current: Pointer, { snapshot }: Publication): void {
  const withdrawn = readLastBuild(out).success?.withdrawn ?? [];
  if (withdrawn.length === 0) return;
  const slugs = slugsOf(out, snapshot);
  const [slug] = withdrawn.filter((one) => slugs.includes(one));
  // If the current snapshot has it too, the slug is another article's now.
  if (slug !== undefined && !slugsOf(out, current.snapshot).includes(slug))
    throw new SnapshotWithdrawn(snapshot, slug);
}

/**
 * Finds a kept snapshot by its id.
 *
 * @param id of a kept snapshot, or its first characters
 * @throws NoSuchSnapshot
 */
export function keptSnapshot(pointer: Pointer, id: string): Publication {
  const matching = publications(pointer).filter(({ snapshot }) => snapshot.startsWith(id));
  const [target] = matching;
  if (!target || matching.length > 1) throw new NoSuchSnapshot(id, matching.length);
  return target;
}

/**
 * The pointer after a rollback.
 *
 * @param changes the record of changes, in which the rollback counts as a publish
 */
export function rolledBackTo(pointer: Pointer, target: Publication, changes: ChangeLog): Pointer {
  const previous = publications(pointer)
    .filter(({ snapshot }) => snapshot !== target.snapshot)
    .sort((a, b) => b.built_at.localeCompare(a.built_at));
  return { ...pointer, ...target, held: true, previous, changes };
}

/**
 * Ends a rollback: the next build publishes again.
 *
 * @returns whether there was one
 * @throws NothingPublished, BuildRunning, OutputUnwritable
 */
export function release(out: string): Promise<boolean> {
  return changingPointer(out, (pointer) => {
    if (pointer.held) writePointer(out, { ...pointer, held: false });
    return pointer.held;
  });
}

/** Changes the pointer under the build lock, so that no build publishes meanwhile. */
export async function changingPointer<T>(
  out: string,
  change: (pointer: Pointer, memory: BuildMemory) => T | Promise<T>,
): Promise<T> {
  requireAnyPointer(out); // Before the lock creates a folder at a mistyped path.
  const memory = BuildMemory.open(out);
  try {
    return await change(requireAnyPointer(out), memory);
  } finally {
    memory.close();
  }
}
