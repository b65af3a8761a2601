import { type Pointer, type Publication } from '../../contract/pointer.ts';
import type { ChangeLog } from '../../contract/change-log.ts';
import { NoSuchSnapshot, SnapshotIncomplete, SnapshotWithdrawn } from '../errors.ts';
import { limitsIn } from '../output/guards.ts';
import { readLastBuild } from '../output/last-build.ts';
import { guardRollback } from '../output/plans.ts';
import { publications } from '../output/pointer-file.ts';
import { extendChangeLog } from './change-record.ts';
import { objectsIn, slugsIn } from './reachable.ts';
import type { SnapshotStorage } from './storage.ts';

/**
 * Makes an earlier snapshot the current one, and holds it: nothing is published until `release`. Running gateways follow
 * within seconds.
 *
 * @param id of a kept snapshot, or its first characters
 * @param force also to other limits
 * @throws NoSuchSnapshot, RollbackChangesLimits, SnapshotWithdrawn, SnapshotIncomplete, and the errors of `changePointer`
 */
export async function rollBack(storage: SnapshotStorage, id: string, force = false): Promise<Publication> {
  let target: Publication | undefined;
  await storage.changePointer(async (pointer) => {
    target = keptSnapshot(pointer, id);
    const limits = (snapshot: string) => limitsIn(storage, snapshot);
    if (!force) guardRollback(storage.out, await limits(pointer.snapshot), await limits(target.snapshot));
    await refuseWithdrawn(storage, pointer, target);
    await refuseIncomplete(storage, target);
    return rolledBackTo(pointer, target, await extendChangeLog(storage, pointer, target.snapshot));
  });
  return target ?? keptSnapshot(await storage.requirePointer(), id);
}

/** Ends a rollback: the next build or publish publishes again. @returns whether there was one */
export async function release(storage: SnapshotStorage): Promise<boolean> {
  const { held } = await storage.requirePointer();
  if (held) await storage.changePointer((pointer) => ({ ...pointer, held: false }));
  return held;
}

/**
 * A build with another database, or a withdrawal that was killed, may have left a snapshot with a withdrawn article.
 *
 * @throws SnapshotWithdrawn
 */
async function refuseWithdrawn(
  storage: SnapshotStorage,
  current: Pointer,
  { snapshot }: Publication,
): Promise<void> {
  const withdrawn = readLastBuild(storage.out)?.withdrawn ?? [];
  if (withdrawn.length === 0) return;
  const slugs = await slugsIn(storage, snapshot);
  const [slug] = withdrawn.filter((one) => slugs.includes(one));
  // If the current snapshot has it too, the slug belongs to another article.
  if (slug !== undefined && !(await slugsIn(storage, current.snapshot)).includes(slug))
    throw new SnapshotWithdrawn(snapshot, slug);
}

/** @throws SnapshotIncomplete */
async function refuseIncomplete(storage: SnapshotStorage, { snapshot }: Publication): Promise<void> {
  const stored = new Set<string>();
  for await (const { path } of storage.list('objects/')) stored.add(path);
  for (const path of await objectsIn(storage, snapshot))
    if (!stored.has(path)) throw new SnapshotIncomplete(snapshot, path, storage.place);
}

/**
 * Finds a kept snapshot by its id.
 *
 * @param id of a kept snapshot, or its first characters
 * @throws NoSuchSnapshot
 */
function keptSnapshot(pointer: Pointer, id: string): Publication {
  const matching = publications(pointer).filter(({ snapshot }) => snapshot.startsWith(id));
  const [target] = matching;
  if (!target || matching.length > 1) throw new NoSuchSnapshot(id, matching.length);
  return target;
}

/** @param changes the record of changes, in which the rollback counts as a publish */
function rolledBackTo(pointer: Pointer, target: Publication, changes: ChangeLog): Pointer {
  const previous = publications(pointer)
    .filter(({ snapshot }) => snapshot !== target.snapshot)
    .sort((a, b) => b.built_at.localeCompare(a.built_at));
  return { ...pointer, ...target, held: true, previous, changes };
}
