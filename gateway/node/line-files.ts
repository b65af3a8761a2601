import { closeSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type LineRecord, type LinesHead, readHead } from '../../contract/lines.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { SingleFlight } from '../single-flight.ts';
import { ObjectUnreadable } from '../snapshot/objects.ts';
import { copyOf, RecordRing } from './record-ring.ts';
import { FRESH_MS, type SlowReads } from './slow-reads.ts';

/** Of open files, a fraction of the process's limit; each takes about 2 kB. */
const MAX_FILES = 4096;
const SHARE_OF_LIMIT = 4;

/** Records in memory: all of a blog of 10,000 posts. */
const RING_BYTES = 8 * 2 ** 20;

/** Neighbours that are this near take one read. */
const GAP_BYTES = 4096;
/** Longer records, and spans of neighbours, are read by themselves. */
const SPAN_BYTES = 2 ** 17;

/** How often files are closed that nobody read for that time. */
const PURGE_MS = 60_000;

/** An open file of lines, whose hash was checked. */
interface OpenFile {
  readonly file: number;
  readonly head: LinesHead;
  /** Of each record in the ring; -1: none. */
  readonly places: Float64Array;
}

/** Opens and reads lines, and checks their hash. @throws ObjectUnreadable */
export type OpenLines = (hash: ObjectHash) => Promise<{ readonly file: number; readonly bytes: Uint8Array }>;

/**
 * Lines in the output folder, of which single records are read: from the ring, or by one positional read from a file that
 * stays open. A file is read as a whole, by the thread pool, when it is opened: its hash is checked then, and it is in the system's
 * page cache.
 */
export class LineFiles {
  readonly #open: LRUCache<ObjectHash, OpenFile>;
  readonly #opening = new SingleFlight<{ readonly opened: OpenFile; readonly bytes: Uint8Array }>();
  readonly #ring = new RecordRing(RING_BYTES);
  readonly #span = Buffer.allocUnsafeSlow(SPAN_BYTES);
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
      ttl: FRESH_MS,
      perf: slow,
      // Nobody else uses a file: what is read from it is copied at once.
      dispose: ({ file }) => closeSync(file),
    });
  }

  /**
   * Some records, the caller's own.
   *
   * @throws ObjectUnreadable
   */
  read(hash: ObjectHash, indexes: readonly number[]): MaybePromise<readonly LineRecord[]> {
    const known = this.#open.get(hash);
    const kept = known && this.#fromRing(known, indexes);
    if (kept) return kept;
    if (known && this.#slow.mayReadNow())
      return this.#copied(known, hash, indexes, (start, end) => this.#readSpan(known, hash, start, end));
    // A known file is opened again: so the thread pool reads it.
    return andThen(
      this.#opening.run(hash, () => this.#openNew(hash)),
      ({ opened, bytes }) => this.#copied(opened, hash, indexes, (start, end) => bytes.subarray(start, end)),
    );
  }

  async #openNew(hash: ObjectHash) {
    const { file, bytes } = await this.#openLines(hash);
    this.#closeUnread();
    try {
      const head = readHead(bytes);
      const opened: OpenFile = { file, head, places: new Float64Array(head.places.length).fill(-1) };
      this.#open.set(hash, opened);
      return { opened, bytes };
    } catch (error) {
      closeSync(file);
      throw new ObjectUnreadable('lines', hash, 'cannot be read', { cause: error });
    }
  }

  /** Closes files that nobody read lately: they may have been removed, and take their space until then. */
  #closeUnread(): void {
    const now = this.#slow.now();
    if (now - this.#purgedAt < PURGE_MS) return;
    this.#purgedAt = now;
    this.#open.purgeStale();
  }

  /** Undefined: at least one is not there. */
  #fromRing({ head, places }: OpenFile, indexes: readonly number[]): LineRecord[] | undefined {
    const records: LineRecord[] = [];
    for (const index of indexes) {
      const bytes = this.#ring.copyOf(places[index] ?? -1, lengthOf(head, index));
      if (!bytes) return undefined;
      records.push({ bytes, places: head.places[index]! });
    }
    return records;
  }

  /** Copies records to the ring and for the caller. @param readSpan gives the bytes of neighbours, until the next call */
  #copied(
    { head, places }: OpenFile,
    hash: ObjectHash,
    indexes: readonly number[],
    readSpan: (start: number, end: number) => Uint8Array,
  ): LineRecord[] {
    for (const index of indexes)
      if (!head.places[index]) throw new ObjectUnreadable('lines', hash, `has no record ${index}`);
    const found = new Map<number, LineRecord>();
    for (const near of neighbours(head, indexes)) {
      const start = head.starts[near[0]!] ?? 0;
      const span = readSpan(start, head.starts[near.at(-1)! + 1] ?? NaN);
      for (const index of near) {
        const from = (head.starts[index] ?? 0) - start;
        const bytes = span.subarray(from, from + lengthOf(head, index));
        places[index] = this.#ring.add(bytes);
        found.set(index, { bytes: copyOf(bytes), places: head.places[index]! });
      }
    }
    return indexes.map((index) => found.get(index)!);
  }

  #readSpan({ file }: OpenFile, hash: ObjectHash, start: number, end: number): Buffer {
    const span = end - start <= SPAN_BYTES ? this.#span : Buffer.allocUnsafe(end - start);
    const startedAt = this.#slow.now();
    const length = readSync(file, span, 0, end - start, start);
    this.#slow.wasReadSince(startedAt);
    if (length !== end - start) {
      this.#open.delete(hash); // Once it is repaired, another file is there.
      throw new ObjectUnreadable('lines', hash, 'was cut short');
    }
    return span;
  }
}

function lengthOf({ starts }: LinesHead, index: number): number {
  return (starts[index + 1] ?? 0) - (starts[index] ?? 0) - 1;
}

/** Splits indexes into those that one read takes, ascending. */
function* neighbours({ starts }: LinesHead, indexes: readonly number[]): Generator<readonly number[]> {
  let near: number[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const [first, last] = [near[0], near.at(-1)];
    if (first !== undefined && last !== undefined) {
      const gap = (starts[index] ?? Infinity) - (starts[last + 1] ?? 0);
      const size = (starts[index + 1] ?? Infinity) - (starts[first] ?? 0);
      if (gap > GAP_BYTES || size > SPAN_BYTES) {
        yield near;
        near = [];
      }
    }
    near.push(index);
  }
  if (near.length > 0) yield near;
}
