import { BucketEmpty } from '../../common/bucket/errors.ts';
import { DEFAULT_CONNECTIONS } from '../../common/bucket/target.ts';
import { encodeBucketPointer, splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { objectHash } from '../../common/object-hash.ts';
import { hashInPath } from '../../contract/object-name.ts';
import {
  parsePointer,
  type Pointer,
  POINTER_PATH,
  PointerNewer,
  PointerUnreadable,
} from '../../contract/pointer.ts';
import type { Target } from '../errors.ts';
import { readIntactCopy } from '../history/folder-storage.ts';
import type { FileEntry, Pruning, SnapshotStorage } from '../history/storage.ts';
import { inParallel } from '../snapshot/parallel.ts';
import { type Bucket, type Condition, IMMUTABLE } from './bucket.ts';
import { BucketPointerUnreadable, ChangedMeanwhile, ObjectDamaged, PruneRunning } from './errors.ts';
import { begunMark, endedMark, parsePruneMark, type PruneMark, runningSince } from './prune-mark.ts';

/** The file `snapshot.json` of a bucket. */
export interface BucketPointer {
  readonly pointer: Pointer;
  readonly prune: PruneMark;
  /** The pack next to it; null: none. */
  readonly pack: Uint8Array | null;
}

/** The same, at one moment. */
interface ReadPointer {
  /** Undefined: nothing is published. */
  readonly published: BucketPointer | undefined;
  /** The condition for replacing it. */
  readonly condition: Condition;
  /** By the service's clock. */
  readonly date: Date;
}

/** Gateways must not read the pointer from a cache. */
const POINTER_CACHE_CONTROL = 'no-cache';

/** How often a change of the pointer is tried: a prune changes it only twice. */
const ATTEMPTS = 5;

/** How long a publish waits for a prune to end, and how often it checks. */
const MAX_WAIT_MS = 60_000;
const INTERVAL_MS = 2_000;

/** A prune stops after this time, well before the service would refuse its requests; the next one continues. */
const MAX_PRUNE_MS = 10 * 60_000;

/** A bucket with the files of an output folder. Its pointer changes by conditional writes. */
export class BucketStorage implements SnapshotStorage {
  readonly bucket: Bucket;
  readonly out: string;
  readonly place: Target;
  readonly flags: string;
  /** Also for uploads in progress, which would otherwise have to start again. */
  readonly graceMs = 24 * 3_600_000;

  /** @param out an output that may have copies of the bucket's objects, which saves downloads */
  constructor(bucket: Bucket, out: string) {
    this.bucket = bucket;
    this.out = out;
    this.place = { name: bucket.name, command: 'publish' };
    this.flags = ` --to ${bucket.name} --endpoint ${bucket.client.target.endpoint}`;
  }

  now(): Date {
    return this.bucket.client.now;
  }

  async readPointer(): Promise<Pointer | undefined> {
    return (await this.#read()).published?.pointer;
  }

  async requirePointer(): Promise<Pointer> {
    return this.#require((await this.#read()).published).pointer;
  }

  /**
   * The pack stays next to the pointer as long as the snapshot is the same. After another change there is none until the
   * next publish: a cold gateway needs one more round of reads.
   */
  changePointer(change: (pointer: Pointer) => Pointer | Promise<Pointer>): Promise<void> {
    return this.switchPointer(async (published) => {
      const { pointer, prune, pack } = this.#require(published);
      const next = await change(pointer);
      if (next === pointer) return null;
      return { pointer: next, prune, pack: next.snapshot === pointer.snapshot ? pack : null };
    });
  }

  /**
   * Replaces the pointer by a conditional write. If a prune starts or ends meanwhile, it tries again; if another command
   * changed what is served, it fails.
   *
   * @param change null: nothing changes
   * @param options `waits` until no prune runs; `repairs` an invalid pointer, which counts as missing
   * @throws ChangedMeanwhile, PruneRunning, BucketError, and the errors of `change`
   */
  async switchPointer(
    change: (published: BucketPointer | undefined) => Promise<BucketPointer | null>,
    { waits = false, repairs = false } = {},
  ): Promise<void> {
    let first: ReadPointer | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const read = waits ? await this.#readAfterPrune(repairs) : await this.#read(repairs);
      if (first && !servesTheSame(first.published, read.published)) break;
      first ??= read;
      const next = await change(read.published);
      if (next === null || (await this.#replace(read, next))) return;
    }
    throw new ChangedMeanwhile(this.bucket.name);
  }

  async read(path: string): Promise<Buffer | undefined> {
    return (await this.bucket.get(path)).file?.bytes;
  }

  async readObject(path: string): Promise<Buffer | undefined> {
    const copy = readIntactCopy(this.out, path);
    if (copy) return copy;
    const bytes = await this.read(path);
    return bytes && objectHash(bytes) === hashInPath(path) ? bytes : undefined;
  }

  /** An object of the output. A damaged one would be cached forever under its name. @throws ObjectDamaged */
  readLocal(path: string): Buffer {
    const bytes = readIntactCopy(this.out, path);
    if (!bytes) throw new ObjectDamaged(path);
    return bytes;
  }

  list(folder: string): AsyncIterable<FileEntry> {
    return this.bucket.list(folder);
  }

  put(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    return inParallel(files, DEFAULT_CONNECTIONS, async ([path, bytes]) => {
      await this.bucket.put(path, bytes, IMMUTABLE);
    });
  }

  /** By a mark in the pointer (prune-mark.ts). @throws ChangedMeanwhile, PruneRunning, and others of `whilePruning` */
  async whilePruning<T>(work: (pruning: Pruning) => Promise<T>): Promise<T> {
    const read = await this.#read();
    const published = this.#require(read.published);
    const { pointer } = published;
    const since = pruneIn(read);
    if (since !== undefined) throw new PruneRunning(this.bucket.name, since);
    const mark = begunMark(published.prune, read.date);
    if (!(await this.#replace(read, { ...published, prune: mark })))
      throw new ChangedMeanwhile(this.bucket.name);

    const { client } = this.bucket;
    const started = client.now.getTime();
    // A delete request without an answer may still be carried out. Then the mark expires by itself.
    let mayStillRemove = false;
    const remove = async (paths: readonly string[]): Promise<boolean> => {
      if (client.now.getTime() - started > MAX_PRUNE_MS) return false;
      const { unanswered } = client;
      try {
        await this.bucket.delete(paths, read.date);
      } finally {
        mayStillRemove ||= client.unanswered > unanswered;
      }
      return true;
    };
    const end = async (): Promise<void> => {
      if (mayStillRemove) return;
      await this.switchPointer((now) =>
        Promise.resolve(
          now?.prune.running?.by === mark.running.by ? { ...now, prune: endedMark(mark) } : null,
        ),
      );
    };
    try {
      const result = await work({ pointer, now: read.date, remove });
      await end();
      return result;
    } catch (error) {
      await end().catch(() => undefined);
      throw error;
    }
  }

  #require(published: BucketPointer | undefined): BucketPointer {
    if (!published) throw new BucketEmpty(this.bucket.name);
    return published;
  }

  /** Waits until no prune is in progress. @throws PruneRunning if one is still running after a minute, BucketError */
  async #readAfterPrune(isRepair: boolean): Promise<ReadPointer> {
    for (let waited = 0; ; waited += INTERVAL_MS) {
      const read = await this.#read(isRepair);
      const since = pruneIn(read);
      if (since === undefined) return read;
      if (waited >= MAX_WAIT_MS) throw new PruneRunning(this.bucket.name, since);
      await this.bucket.client.sleep(INTERVAL_MS);
    }
  }

  /** @param isRepair an invalid pointer counts as missing */
  async #read(isRepair = false): Promise<ReadPointer> {
    const { file, date } = await this.bucket.get(POINTER_PATH);
    if (!file) return { published: undefined, condition: null, date };
    const condition = file.etag;
    try {
      const { text, pack } = splitBucketPointer(file.bytes);
      return {
        published: { pointer: parsePointer(text), prune: parsePruneMark(text), pack },
        condition,
        date,
      };
    } catch (error) {
      if (!(error instanceof PointerUnreadable) || error instanceof PointerNewer) throw error;
      if (isRepair) return { published: undefined, condition, date };
      throw new BucketPointerUnreadable(this.bucket.name, error.detail);
    }
  }

  /** @returns false: another command was faster, and nothing was changed */
  async #replace({ condition }: ReadPointer, { pointer, prune, pack }: BucketPointer): Promise<boolean> {
    const text = JSON.stringify(prune.number === 0 ? pointer : { ...pointer, prune }, null, 2);
    const bytes = encodeBucketPointer(`${text}\n`, pack);
    if ((await this.bucket.put(POINTER_PATH, bytes, POINTER_CACHE_CONTROL, condition)) !== undefined)
      return true;
    // If an answer was lost and the request was retried, the retry finds what the first request wrote.
    const { file } = await this.bucket.get(POINTER_PATH);
    return file?.bytes.equals(bytes) ?? false;
  }
}

/** Whether two pointers differ at most in their prune marks. */
function servesTheSame(a: BucketPointer | undefined, b: BucketPointer | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a.pointer) === JSON.stringify(b.pointer);
}

/** Start time of the prune in progress. */
function pruneIn({ published, date }: ReadPointer): string | undefined {
  return published && runningSince(published.prune, date);
}
