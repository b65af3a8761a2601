import type { Pointer } from '../../contract/pointer.ts';
import type { Target } from '../errors.ts';

/** A file of a storage. Its path starts at the root of the output, as `objects/…`. */
export interface FileEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
}

/**
 * Where snapshots are kept: an output folder (folder-storage.ts), or a bucket (../publish/bucket-storage.ts). What is done with
 * kept snapshots (rollback, prune, verify, withdraw) is written once, for both.
 *
 * It knows paths and bytes, and the pointer. The path of an object contains the hash of its content.
 */
export interface SnapshotStorage {
  readonly place: Target;
  /** Options that name it to a command: ` --to s3://… --endpoint …`, or empty. */
  readonly flags: string;
  /** The output folder on this machine: the storage itself, or one that may have copies of its objects. */
  readonly out: string;
  /** How long files stay that no kept snapshot needs: gateways may still be reading them. Milliseconds. */
  readonly graceMs: number;
  now(): Date;

  /** Undefined: nothing is published. @throws PointerUnreadable */
  readPointer(): Promise<Pointer | undefined>;
  /** @throws NothingPublished or BucketEmpty, PointerUnreadable */
  requirePointer(): Promise<Pointer>;
  /**
   * Replaces the pointer by what `change` makes of it, atomically and durably. No publish or rollback comes in between: it
   * waits, or this fails.
   *
   * @param change returns the same pointer if nothing changes; may be called again if a prune began or ended meanwhile
   * @throws NothingPublished or BucketEmpty, BuildRunning or ChangedMeanwhile, and the errors of `change`
   */
  changePointer(change: (pointer: Pointer) => Pointer | Promise<Pointer>): Promise<void>;

  /** A file as it is stored; undefined: it does not exist. */
  read(path: string): Promise<Buffer | undefined>;
  /** An intact object, which may be a copy from the output folder; undefined: it is missing or damaged. */
  readObject(path: string): Promise<Buffer | undefined>;
  /** All files in a folder and those below it. */
  list(folder: string): AsyncIterable<FileEntry>;
  /** Adds objects, durably. Only within `changePointer`. */
  put(files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /**
   * Runs the work of a prune. What a publish finds in the storage meanwhile, it checks again before it switches, so nothing
   * that the pointer will name is removed.
   *
   * @throws NothingPublished or BucketEmpty, BuildRunning or PruneRunning, and the errors of `work`
   */
  whilePruning<T>(work: (pruning: Pruning) => Promise<T>): Promise<T>;
}

/** A prune in progress. */
export interface Pruning {
  readonly pointer: Pointer;
  /** By the clock that `modified` is from. */
  readonly now: Date;
  /** Removes files. @returns false: the time is up, and the next prune continues */
  remove(paths: readonly string[]): Promise<boolean>;
}
