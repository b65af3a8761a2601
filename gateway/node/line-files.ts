import { closeSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type LineRecord, Lines, type LinesHead } from '../../contract/lines.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { SingleFlight } from '../single-flight.ts';
import { ObjectUnreadable, recordsAt } from '../snapshot/objects.ts';
import { RecordRing } from './record-ring.ts';
import { IN_PAGE_CACHE_MS, type SlowReads } from './slow-reads.ts';

/** Of open files, a fraction of the process's limit; each takes about 2 kB. */
const MAX_FILES = 4096;
const SHARE_OF_LIMIT = 4;

/** Records in memory: all of a blog of 10,000 posts. */
const RING_BYTES = 8 * 2 ** 20;

/** Records take one read if they are this near to each other, on average. */
const NEAR_BYTES = 4096;

/** How often unused files are closed. */
const PURGE_MS = 60_000;

/** An open file of lines, whose hash was checked. */
interface OpenFile {
  readonly file: number;
  readonly head: LinesHead;
  /** Of each record in the ring; -1: none. */
  readonly places: Float64Array;
}

/** Opens and reads lines, and checks their hash. @throws ObjectUnreadable */
type OpenLines = (hash: ObjectHash) => Promise<{ readonly file: number; readonly bytes: Uint8Array }>;

/**
 * Lines in the output folder, of which single records are read: from the ring, or by one positional read from a file that
 * stays open. A file is read as a whole, by the thread pool, when it is opened: its hash is checked then, and it is in the system's
 * page cache.
 */
export class LineFiles {
  readonly #open: LRUCache<ObjectHash, OpenFile>;
  readonly #opening = new SingleFlight<Lines>();
  readonly #ring = new RecordRing(RING_BYTES);
  readonly #slow: SlowReads;
  readonly #openLines: OpenLines;
  #purgedAt = 0;

  /**
   * @param limit of open files in this process
   * @param slow watches reads without the thread pool
   */
  constructor(openLines: OpenLines, limit: number, slow: SlowReads) {
    this.#openLines = openLines;
    this.#slow = slow;
    this.#open = new LRUCache({
      max: Math.max(16, Math.min(MAX_FILES, Math.floor(limit / SHARE_OF_LIMIT))),
      ttl: IN_PAGE_CACHE_MS,
      perf: slow,
      // No read is pending: they are synchronous.
      dispose: ({ file }) => closeSync(file),
    });
  }

  /** Some records. Without a promise they are valid until the next call, as in SnapshotStore. @throws ObjectUnreadable */
  read(hash: ObjectHash, indexes: readonly number[]): MaybePromise<readonly LineRecord[]> {
    const known = this.#open.get(hash);
    if (known) {
      const missing = indexes.filter((index) => !this.#isKept(known, hash, index));
      if (missing.length === 0 || this.#slow.mayReadNow()) {
        this.#keep(known, hash, missing);
        return indexes.map((index) => this.#record(known, hash, index));
      }
    }
    // A known file is opened again: so the thread pool reads it.
    return andThen(
      this.#opening.run(hash, () => this.#openNew(hash)),
      (lines) => recordsAt(lines, hash, indexes),
    );
  }

  async #openNew(hash: ObjectHash): Promise<Lines> {
    const { file, bytes } = await this.#openLines(hash);
    this.#closeUnread();
    try {
      const lines = new Lines(bytes);
      const { head } = lines;
      this.#open.set(hash, { file, head, places: new Float64Array(lines.count).fill(-1) });
      return lines;
    } catch (error) {
      closeSync(file);
      throw new ObjectUnreadable('lines', hash, 'cannot be read', { cause: error });
    }
  }

  /** Closes files that were not read recently: they may have been deleted, and take their space until then. */
  #closeUnread(): void {
    const now = this.#slow.now();
    if (now - this.#purgedAt < PURGE_MS) return;
    this.#purgedAt = now;
    this.#open.purgeStale();
  }

  /** Whether a record is in the ring. */
  #isKept({ head, places }: OpenFile, hash: ObjectHash, index: number): boolean {
    if (!head.places[index]) throw new ObjectUnreadable('lines', hash, `has no record ${index}`);
    return this.#ring.at(places[index]!, recordLength(head, index)) !== undefined;
  }

  /** Reads missing records into the ring, all at once if they are near to each other. */
  #keep(known: OpenFile, hash: ObjectHash, missing: readonly number[]): void {
    if (missing.length === 0) return;
    const [from, to] = [Math.min(...missing), Math.max(...missing)];
    const { starts } = known.head;
    const isNear = starts[to + 1]! - starts[from]! <= missing.length * NEAR_BYTES;
    if (isNear) this.#keepSpan(known, hash, from, to);
    else for (const index of missing) this.#keepSpan(known, hash, index, index);
  }

  /** Reads the records from `first` to `last` into the ring, if it takes so many bytes. */
  #keepSpan({ file, head, places }: OpenFile, hash: ObjectHash, first: number, last: number): void {
    const start = head.starts[first]!;
    const length = head.starts[last + 1]! - start;
    if (!this.#ring.takes(length)) return;
    const place = this.#ring.add(length, (ring, at) => this.#readFile(file, hash, start, ring, at, length));
    for (let index = first; index <= last; index++) places[index] = place + head.starts[index]! - start;
  }

  /** A record of the ring; one that it does not take is read alone. */
  #record({ file, head, places: kept }: OpenFile, hash: ObjectHash, index: number): LineRecord {
    const length = recordLength(head, index);
    const places = head.places[index]!;
    const part = this.#ring.at(kept[index]!, length);
    if (part) return { bytes: part.bytes, start: part.start, end: part.end, places };
    const bytes = new Uint8Array(length);
    this.#readFile(file, hash, head.starts[index]!, bytes, 0, length);
    return { bytes, start: 0, end: length, places };
  }

  /** Reads `length` bytes from `start` of a file. @param to gets them, from `at` on */
  #readFile(file: number, hash: ObjectHash, start: number, to: Uint8Array, at: number, length: number): void {
    const startedAt = this.#slow.now();
    const read = readSync(file, to, at, length, start);
    this.#slow.addRead(startedAt);
    if (read === length) return;
    this.#open.delete(hash); // Once it is repaired, another file is there.
    throw new ObjectUnreadable('lines', hash, 'was cut short');
  }
}

function recordLength({ starts }: LinesHead, index: number): number {
  return starts[index + 1]! - starts[index]! - 1;
}
