import { objectHash } from '../../common/object-hash.ts';
import { messageOf } from '../../common/thrown.ts';
import { objectAt, type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { OBJECT_KINDS } from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { inParallel } from '../snapshot/parallel.ts';
import { logPaths, objectsIn } from './reachable.ts';
import type { SnapshotStorage } from './storage.ts';

interface VerifyReport {
  readonly snapshot: ObjectHash;
  readonly objects: number;
  readonly bytes: number;
  /** Empty: nothing is wrong. */
  readonly faults: readonly ObjectFault[];
}

/** Something that is wrong with an object. */
interface ObjectFault {
  /** The object's path in the output. */
  readonly object: string;
  readonly fault: string;
}

const CONCURRENCY = 32;

/**
 * Reads all objects of a snapshot, compares each with the hash in its name, and decodes it as a gateway does.
 *
 * @param pointer names the snapshot and, if it is the current one, the record of changes
 */
export async function verify(
  storage: SnapshotStorage,
  pointer: Pick<Pointer, 'snapshot' | 'changes'>,
): Promise<VerifyReport> {
  const { snapshot } = pointer;
  const faults: ObjectFault[] = [];
  let bytes = 0;
  let named: Iterable<string> = [];
  try {
    named = await objectsIn(storage, snapshot);
  } catch (error) {
    if (error instanceof SnapshotIncomplete) named = [error.path];
    else faults.push({ object: objectPath('directory', snapshot), fault: undecodable(error) });
  }
  const paths = new Set([...logPaths(pointer), ...named]);
  await inParallel(paths, CONCURRENCY, async (path) => {
    const content = await storage.read(path);
    bytes += content?.length ?? 0;
    const fault = faultIn(path, content);
    if (fault !== null) faults.push({ object: path, fault });
  });
  faults.sort((a, b) => (a.object < b.object ? -1 : 1));
  return { snapshot, objects: paths.size, bytes, faults };
}

function faultIn(path: string, content: Buffer | undefined): string | null {
  if (!content) return 'is missing';
  const object = objectAt(path);
  if (object?.hash !== objectHash(content)) return 'does not match the hash in its name';
  try {
    OBJECT_KINDS[object.kind].decode(Uint8Array.from(content));
    return null;
  } catch (error) {
    return undecodable(error);
  }
}

function undecodable(error: unknown): string {
  return `cannot be decoded: ${messageOf(error)}`;
}
