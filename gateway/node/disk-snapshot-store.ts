import { closeSync, fstatSync, open, openSync, read, readFileSync, readSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { READING } from '../../common/output-files.ts';
import { codeOf } from '../../common/thrown.ts';
import { objectHash } from '../../common/object-hash.ts';
import type { LineRecord } from '../../contract/lines.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { SnapshotStore } from '../home.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { ObjectMissing, ObjectUnreadable } from '../snapshot/objects.ts';
import { LineFiles } from './line-files.ts';
import { IN_PAGE_CACHE_MS, SlowReads } from './slow-reads.ts';

/** Those of `node:fs/promises` need more memory, and more trips to the thread pool. */
const [opened, partOf] = [promisify(open), promisify(read)];

type Bytes = Uint8Array<ArrayBuffer>;

/** Larger objects are always read by the thread pool. */
const SCRATCH_BYTES = 2 ** 17;

/** Objects whose files' versions are remembered. */
const RECENT = 50_000;

/** A file could change once more with the same time. Git calls such files racy. */
const RACY_MS = 2_000;

/**
 * Snapshots in the output folder.
 *
 * The thread pool reads an object, so that no disk holds up other requests, and its hash is checked. A recently
 * read object is in the system's page cache. It is read synchronously, and not checked again if its file is the same by inode, size
 * and times, as in Git. That takes a third of the processor time.
 */
export class DiskSnapshotStore implements SnapshotStore {
  readonly #out: string;
  readonly #slow: SlowReads;
  /** By object: the version of its file that was recently read and checked. */
  readonly #recent: LRUCache<ObjectHash, number>;
  readonly #lines: LineFiles;
  readonly #scratch = new Uint8Array(SCRATCH_BYTES);

  /** @param now a clock in milliseconds */
  constructor(out: string, now: () => number = () => performance.now()) {
    this.#out = out;
    this.#slow = new SlowReads(now);
    this.#recent = new LRUCache({ max: RECENT, ttl: IN_PAGE_CACHE_MS, ttlResolution: 0, perf: this.#slow });
    this.#lines = new LineFiles((hash) => this.#openLines(hash), openFilesLimit(), this.#slow);
  }

  readPointer(): Promise<string> {
    return readFile(join(this.#out, POINTER_PATH), { encoding: 'utf8', flag: READING });
  }

  readObject(kind: ObjectKind, hash: ObjectHash): MaybePromise<Bytes | null> {
    const path = this.#objectFile(kind, hash);
    return this.#readNow(path, hash) ?? this.#readAndCheck(path, kind, hash);
  }

  readRecords(hash: ObjectHash, indexes: readonly number[]): MaybePromise<readonly LineRecord[]> {
    return this.#lines.read(hash, indexes);
  }

  hashObject(bytes: Uint8Array): ObjectHash {
    return objectHash(bytes);
  }

  #objectFile(kind: ObjectKind, hash: ObjectHash): string {
    return `${this.#out}/${objectPath(kind, hash)}`;
  }

  /** A recently read object; null: it was not read, or its file changed. */
  #readNow(path: string, hash: ObjectHash): Bytes | null {
    const version = this.#recent.get(hash);
    if (version === undefined || !this.#slow.mayReadNow()) return null;
    const startedAt = this.#slow.now();
    let file: number | undefined;
    try {
      file = openSync(path, READING);
      const length = readSync(file, this.#scratch);
      const stats = fstatSync(file); // Afterwards, so that no change between the two is missed.
      if (hashVersion(stats) !== version || length !== stats.size) return null;
      return this.#scratch.slice(0, length);
    } catch {
      return null;
    } finally {
      if (file !== undefined) closeSync(file);
      this.#slow.addRead(startedAt);
    }
  }

  /** @throws ObjectUnreadable */
  async #readAndCheck(path: string, kind: ObjectKind, hash: ObjectHash): Promise<Bytes | null> {
    const found = await openOrNull(path, kind, hash);
    if (found === null) return null;
    const { file, bytes, stats } = found;
    closeSync(file);
    if (this.hashObject(bytes) !== hash) throw new ObjectUnreadable(kind, hash, ALTERED);
    const isSettled = Date.now() - Math.max(stats.ctimeMs, stats.mtimeMs) > RACY_MS;
    if (isSettled && stats.size < SCRATCH_BYTES) this.#recent.set(hash, hashVersion(stats));
    return bytes;
  }

  /** @throws ObjectUnreadable */
  async #openLines(hash: ObjectHash): Promise<{ readonly file: number; readonly bytes: Bytes }> {
    const found = await openOrNull(this.#objectFile('lines', hash), 'lines', hash);
    if (found === null) throw new ObjectMissing('lines', hash);
    if (this.hashObject(found.bytes) === hash) return found;
    closeSync(found.file);
    throw new ObjectUnreadable('lines', hash, ALTERED);
  }
}

const ALTERED = 'was altered or cut short';

/** The open files that the system allows this process; where it does not tell, what all systems allow. */
function openFilesLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 256);
  } catch {
    return 256;
  }
}

/** What distinguishes the versions of a file, in 32 bits: a number takes less memory than a text. */
function hashVersion({ ino, size, ctimeMs, mtimeMs }: Stats): number {
  let mixed = 0;
  for (const part of [ino, size, ctimeMs * 1000, mtimeMs * 1000]) {
    mixed = Math.imul(mixed ^ part, 0x9e3779b1); // Fibonacci hashing; `^` takes the lowest 32 bits.
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}

/** An open file, and its content. */
interface OpenObject {
  readonly file: number;
  readonly bytes: Bytes;
  readonly stats: Stats;
}

/**
 * Opens and reads a file by the thread pool; null: it does not exist. Only opening and reading wait for a disk. (`readFile` makes four
 * trips, and takes 50 µs.)
 *
 * @throws ObjectUnreadable
 */
async function openOrNull(path: string, kind: ObjectKind, hash: ObjectHash): Promise<OpenObject | null> {
  let file: number | undefined;
  try {
    file = await opened(path, READING);
    const stats = fstatSync(file);
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await partOf(file, bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break; // It was cut short.
      length += bytesRead;
    }
    return { file, bytes: bytes.subarray(0, length), stats };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    const code = codeOf(error) ?? String(error);
    if (code === 'ENOENT') return null;
    throw new ObjectUnreadable(kind, hash, `cannot be read (${code})`, { cause: error });
  }
}
