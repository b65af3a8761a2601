import { parsePointer, requireFormat } from '../../contract/pointer.ts';
import type { SnapshotStore } from '../home.ts';
import { Objects } from './objects.ts';
import { Snapshot } from './snapshot.ts';

/** Memory for the gateway's caches. */
export interface CacheSizes {
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
   * @throws PointerUnreadable, PointerOlder, ObjectUnreadable, or errors of the store; nothing changes then
   */
  async refresh(since?: number): Promise<Snapshot> {
    const pointer = requireFormat(parsePointer(await this.#store.readPointer(since)));
    const { snapshot: id, changes: log = null } = pointer;
    const served = this.#snapshot;
    // A rollback or withdrawal may change the record but not the snapshot.
    if (served?.id === id && JSON.stringify(served.log) === JSON.stringify(log)) return served;
    const directory = await this.objects.read('directory', id);
    this.#snapshot = new Snapshot(id, directory, this.objects, this.#sizes.answerBytes, log);
    return this.#snapshot;
  }
}
