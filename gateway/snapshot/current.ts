import { parsePointer } from '../../contract/pointer.ts';
import type { SnapshotStore } from '../home.ts';
import { Objects } from './objects.ts';
import { Snapshot } from './snapshot.ts';

/** How much memory the gateway may use to keep what it has read and made. */
export interface CacheSizes {
  /** Decoded objects, over all snapshots. */
  readonly objectBytes: number;
  /** Answers and results of filters, for the current snapshot. */
  readonly answerBytes: number;
}

/**
 * The snapshot that is served now. Whoever owns this calls `refresh` from time to time; a pointer that
 * cannot be read, or that names a snapshot that cannot, leaves the last good one in place.
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
   * Looks where the pointer leads now, and goes there.
   *
   * @param since where it led at some moment since then will do
   * @returns the snapshot that is served from now on
   * @throws PointerUnreadable, ObjectUnreadable, or what the store throws; nothing has changed then
   */
  async refresh(since?: number): Promise<Snapshot> {
    const { snapshot: id, changes: log = null } = parsePointer(await this.#store.readPointer(since));
    const served = this.#snapshot;
    // What was rolled back or withdrawn meanwhile may have left the snapshot as it is.
    if (served?.id === id && JSON.stringify(served.log) === JSON.stringify(log)) return served;
    const directory = await this.objects.read('directory', id);
    this.#snapshot = new Snapshot(id, directory, this.objects, this.#sizes.answerBytes, log);
    return this.#snapshot;
  }
}
