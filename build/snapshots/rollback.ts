import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import { newChangeLog } from '../change-log.ts';
import { NoSuchSnapshot, SnapshotIncomplete } from '../errors.ts';
import { BuildMemory } from '../memory.ts';
import { publications, requirePointer, writePointer } from '../pointer-file.ts';
import { objectsOf } from './reachable.ts';

/**
 * Makes an earlier snapshot the current one, and holds it: builds publish nothing until `release`. A
 * running gateway follows within seconds.
 *
 * @param id of a kept snapshot, or its first characters
 * @throws NothingPublished, NoSuchSnapshot, SnapshotIncomplete, BuildRunning, OutputUnwritable
 */
export function rollBack(out: string, id: string): Publication {
  return changingPointer(out, (pointer) => {
    const { target, rolledBack } = rollBackPointer(pointer, id);
    for (const { kind, hash } of objectsOf(out, target.snapshot)) {
      const path = objectPath(kind, hash);
      if (!existsSync(join(out, path))) throw new SnapshotIncomplete(target.snapshot, path);
    }
    writePointer(out, rolledBack);
    return target;
  });
}

/**
 * The pointer after a rollback. Its record of changes begins again, so copies read the whole blog again.
 *
 * @param id of a kept snapshot, or its first characters
 * @throws NoSuchSnapshot
 */
export function rollBackPointer(
  pointer: Pointer,
  id: string,
): { readonly target: Publication; readonly rolledBack: Pointer } {
  const matching = publications(pointer).filter(({ snapshot }) => snapshot.startsWith(id));
  const [target] = matching;
  if (!target || matching.length > 1) throw new NoSuchSnapshot(id, matching.length);
  const previous = publications(pointer)
    .filter(({ snapshot }) => snapshot !== target.snapshot)
    .sort((a, b) => b.built_at.localeCompare(a.built_at));
  return { target, rolledBack: { ...pointer, ...target, held: true, previous, changes: newChangeLog() } };
}

/**
 * Ends a rollback: the next build publishes again.
 *
 * @returns whether there was one
 * @throws NothingPublished, BuildRunning, OutputUnwritable
 */
export function release(out: string): boolean {
  return changingPointer(out, (pointer) => {
    if (pointer.held) writePointer(out, { ...pointer, held: false });
    return pointer.held;
  });
}

/** Under the build's lock, so that no build publishes meanwhile. */
export function changingPointer<T>(out: string, change: (pointer: Pointer) => T): T {
  requirePointer(out); // Before the lock makes a folder at a path that was mistyped.
  const memory = BuildMemory.open(out);
  try {
    return change(requirePointer(out));
  } finally {
    memory.close();
  }
}
