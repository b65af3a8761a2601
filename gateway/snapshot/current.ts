import type { ChangeLog } from '../../contract/change-log.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { parsePointer } from '../../contract/pointer.ts';
import type { SnapshotStore } from '../home.ts';
import { Objects } from './objects.ts';
import { NO_RECORD, Snapshot } from './snapshot.ts';

/** Memory for the gateway's caches. */
interface CacheSizes {
  /** Decoded objects, over all snapshots. */
  readonly objectBytes: number;
  /** Answers and results of filters, for the current snapshot. */
  readonly answerBytes: number;
}

/**
 * The snapshot that is served. Its owner calls `refresh` regularly; if the pointer or its snapshot cannot be read, the last
 * good snapshot stays.
 */
export class CurrentSnapshot {
  readonly #store: SnapshotStore;
  readonly objects: Objects;
  readonly #sizes: CacheSizes;
  #snapshot: Snapshot | undefined;
  /** Reads of the pointer so far, and the one that `#snapshot` is from. */
  #begun = 0;
  #followed = 0;

  constructor(store: SnapshotStore, sizes: CacheSizes) {
    this.#store = store;
    this.#sizes = sizes;
    this.objects = new Objects(store, sizes.objectBytes);
  }

  /** The last good snapshot; undefined before the first. */
  get(): Snapshot | undefined {
    return this.#snapshot;
  }

  /**
   * Reads the pointer and switches to its snapshot.
   *
   * @param since a pointer read after this time will do
   * @returns the snapshot that is served from now on
   * @throws PointerUnreadable, ObjectUnreadable, or errors of the store; nothing changes then
   */
  async refresh(since?: number): Promise<Snapshot> {
    const read = (this.#begun += 1);
    const pointer = parsePointer(await this.#store.readPointer(since));
    const { snapshot: id, changes: log = NO_RECORD } = pointer;
    const isReplaced = () => this.#followed > read; // A later read has ended before.
    const served = this.#snapshot;
    if (served && isReplaced()) return served;
    if (served && isSame(served, id, log)) {
      this.#followed = read;
      return served;
    }
    const directory = await this.objects.read('directory', id);
    if (this.#snapshot && isReplaced()) return this.#snapshot;
    this.#followed = read;
    this.#snapshot = new Snapshot(id, directory, this.objects, this.#sizes.answerBytes, log);
    return this.#snapshot;
  }
}

/** A new record of changes may name the same snapshot. */
function isSame(served: Snapshot, id: ObjectHash, log: ChangeLog): boolean {
  return served.id === id && JSON.stringify(served.log) === JSON.stringify(log);
}
