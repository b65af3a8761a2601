/**
 * The record of changes of a storage (contract/change-log.ts). A bucket has its own, separate from the output's: it records
 * what the bucket served, from whichever output. So it continues if each publish uses a new output, and after a rollback of
 * either.
 */
import { objectHash } from '../../common/object-hash.ts';
import type { ChangeLog } from '../../contract/change-log.ts';
import { hashInPath, type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { updateChangeLog } from '../snapshot/change-log.ts';
import { logPaths } from './reachable.ts';
import type { SnapshotStorage } from './storage.ts';

/**
 * Extends the record by the storage's next snapshot, and adds the record's objects. Only within `changePointer`.
 *
 * @param current undefined: nothing is published yet
 */
export async function extendChangeLog(
  storage: SnapshotStorage,
  current: Pointer | undefined,
  next: ObjectHash,
): Promise<ChangeLog> {
  const made = new Map<string, Uint8Array>();
  const changes = await updateChangeLog(current, next, {
    now: Math.floor(storage.now().getTime() / 1000),
    store: {
      put(kind, content) {
        const hash = objectHash(content);
        made.set(objectPath(kind, hash), Buffer.from(content));
        return hash;
      },
      async read(kind, hash) {
        const path = objectPath(kind, hash);
        const bytes = await storage.readObject(path);
        if (!bytes) throw new SnapshotIncomplete(next, path, storage.place);
        return bytes;
      },
    },
  });
  await storage.put(made);
  return changes;
}

/** Whether the record can be continued: all its objects exist and match their hashes. */
export async function isChangeLogIntact(
  storage: Pick<SnapshotStorage, 'read'>,
  pointer: Pick<Pointer, 'changes'>,
): Promise<boolean> {
  for (const path of logPaths(pointer)) {
    const bytes = await storage.read(path);
    if (!bytes || objectHash(bytes) !== hashInPath(path)) return false;
  }
  return true;
}
