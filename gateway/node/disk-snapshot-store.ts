import { closeSync, constants, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../common/thrown.ts';
import { objectHash } from '../../common/object-hash.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { SnapshotStore } from '../home.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { ObjectUnreadable } from '../snapshot/objects.ts';
import { RecentReads } from './recent-reads.ts';

/** Those of `node:fs/promises` need more memory, and more trips to the thread pool. */
const [opened, partOf] = [promisify(open), promisify(read)];

type Bytes = Uint8Array<ArrayBuffer>;

/** Without `O_NONBLOCK`, opening a pipe in place of a file would wait for a writer. (Windows has none: `|` takes it as 0.) */
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Larger objects are always read by the thread pool. */
const SCRATCH_BYTES = 2 ** 17;

/** A file could change once more with the same time. Git calls such files racy. */
const RACY_MS = 2_000;

/**
 * Snapshots in the output folder.
 *
 * The thread pool reads an object, so that no disk holds up other requests, and its hash is checked. An object that was read
 * lately is in the system's page cache: it is read at once, and not checked again if its file is the same, as Git does it: by
 * inode, size and times. That takes a third of the processor time.
 */
export class DiskSnapshotStore implements SnapshotStore {
  readonly #out: string;
  readonly #now: () => number;
  readonly #recent: RecentReads;
  readonly #scratch = new Uint8Array(SCRATCH_BYTES);

  /** @param now a clock in milliseconds */
  constructor(out: string, now: () => number = () => performance.now()) {
    this.#out = out;
    this.#now = now;
    this.#recent = new RecentReads(now);
  }

  readPointer(): Promise<string> {
    return readFile(join(this.#out, POINTER_PATH), { encoding: 'utf8', flag: READING });
  }

  readObject(kind: ObjectKind, hash: ObjectHash, mayLend = false): MaybePromise<Bytes | null> {
    const path = `${this.#out}/${objectPath(kind, hash)}`;
    const lent = this.#readNow(path, hash);
    if (lent) return mayLend ? lent : new Uint8Array(lent);
    return this.#readAndCheck(path, kind, hash);
  }

  hashOf(bytes: Uint8Array): ObjectHash {
    return objectHash(bytes);
  }

  /** An object that was read lately, until the next call; null: it was not, or cannot be read as it was. */
  #readNow(path: string, hash: ObjectHash): Bytes | null {
    const version = this.#recent.versionOf(hash);
    if (version === undefined) return null;
    const startedAt = this.#now();
    let file: number | undefined;
    try {
      file = openSync(path, READING);
      const length = readSync(file, this.#scratch);
      const stats = fstatSync(file); // Afterwards, so that no change between the two is missed.
      if (versionOf(stats) !== version || length !== stats.size) return null;
      return this.#scratch.subarray(0, length);
    } catch {
      return null;
    } finally {
      if (file !== undefined) closeSync(file);
      this.#recent.wasReadSince(startedAt);
    }
  }

  /** @throws ObjectUnreadable */
  async #readAndCheck(path: string, kind: ObjectKind, hash: ObjectHash): Promise<Bytes | null> {
    const found = await readOrNull(path, kind, hash);
    if (found === null) return null;
    const { bytes, stats } = found;
    if (this.hashOf(bytes) !== hash) throw new ObjectUnreadable(kind, hash, 'was altered or cut short');
    const isSettled = Date.now() - Math.max(stats.ctimeMs, stats.mtimeMs) > RACY_MS;
    if (isSettled && stats.size < SCRATCH_BYTES) this.#recent.add(hash, versionOf(stats));
    return bytes;
  }
}

/** What tells one version of a file from another, in 32 bits. */
function versionOf({ ino, size, ctimeMs, mtimeMs }: Stats): number {
  let mixed = 0;
  for (const part of [ino, size, ctimeMs * 1000, mtimeMs * 1000]) {
    mixed = Math.imul(mixed ^ part, 0x9e3779b1); // Fibonacci hashing; `^` takes the lowest 32 bits.
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}

interface FoundFile {
  readonly bytes: Bytes;
  readonly stats: Stats;
}

/** @throws ObjectUnreadable */
async function readOrNull(path: string, kind: ObjectKind, hash: ObjectHash): Promise<FoundFile | null> {
  try {
    return await readByPool(path);
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    if (code === 'ENOENT') return null;
    throw new ObjectUnreadable(kind, hash, `cannot be read (${code})`, { cause: error });
  }
}

/** Only opening and reading wait for a disk. (`readFile` makes four trips, and takes 50 µs.) */
async function readByPool(path: string): Promise<FoundFile> {
  const file = await opened(path, READING);
  try {
    const stats = fstatSync(file);
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await partOf(file, bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break; // It was cut short.
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), stats };
  } finally {
    closeSync(file);
  }
}
