import { LRUCache } from 'lru-cache';
import type { ObjectHash } from '../../contract/object-name.ts';
import { type Decoded, OBJECT_KINDS, type ObjectKind } from '../../contract/object-kinds.ts';
import { articlePackName, nameInPack } from '../../contract/pack.ts';
import { bodyOf } from '../answer.ts';
import { Doorkeeper } from '../doorkeeper.ts';
import type { SnapshotStore } from '../home.ts';
import { type Sharing, SingleFlight } from '../single-flight.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** Overhead of an entry. */
const OVERHEAD_BYTES = 200;

/** An object of the snapshot is missing or cannot be read. */
export class ObjectUnreadable extends Error {
  override name = 'ObjectUnreadable';
  constructor(kind: ObjectKind, hash: ObjectHash, detail: string, options?: ErrorOptions) {
    super(
      `The object ${kind}/${hash} ${detail}. Run "build --full" to repair it; for a bucket, then "publish --full".`,
      options,
    );
  }
}

/** An object does not exist: it was pruned, or a publish failed. */
export class ObjectMissing extends ObjectUnreadable {
  override name = 'ObjectMissing';
  constructor(kind: ObjectKind, hash: ObjectHash) {
    super(kind, hash, 'is missing');
  }
}

/** Objects of two kinds can have the same bytes, and so the same hash. The one read last is kept. */
interface Kept {
  readonly kind: ObjectKind;
  readonly decoded: Decoded<ObjectKind>;
}

type ObjectStore = Omit<SnapshotStore, 'readPointer'>;

/**
 * A cache of decoded objects, limited by bytes, with a doorkeeper. Objects never change, so one cache serves all snapshots.
 * Concurrent requests for one object share one read.
 */
export class Objects {
  readonly #store: ObjectStore;
  /** By hash alone: a name with the kind would be a new text, hashed again, at each read. */
  readonly #kept: LRUCache<string, Kept>;
  readonly #doorkeeper = new Doorkeeper();
  readonly #reading: SingleFlight<Decoded<ObjectKind>>;
  /** Reads from the store so far. */
  reads = 0;

  constructor(store: ObjectStore, maxBytes: number) {
    this.#store = store;
    this.#reading = new SingleFlight(store.sharing);
    this.#kept = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / 2 });
  }

  /** How requests share what is read and made. */
  get sharing(): Sharing | undefined {
    return this.#store.sharing;
  }

  /** Bytes in the cache. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @throws ObjectUnreadable */
  read<Kind extends ObjectKind>(kind: Kind, hash: ObjectHash): MaybePromise<Decoded<Kind>>;
  read(kind: ObjectKind, hash: ObjectHash): MaybePromise<Decoded<ObjectKind>> {
    return this.#find(kind, hash, false);
  }

  /**
   * A part of an object. One that does not enter the cache is not copied: lists read many pages of 36 kB for a record each, and
   * collecting the copies took half of their time.
   *
   * @param take may not use the object later
   * @throws ObjectUnreadable
   */
  readPart<Kind extends ObjectKind, Part>(
    kind: Kind,
    hash: ObjectHash,
    take: (decoded: Decoded<Kind>) => Part,
  ): MaybePromise<Part>;
  readPart<Part>(
    kind: ObjectKind,
    hash: ObjectHash,
    take: (decoded: Decoded<ObjectKind>) => Part,
  ): MaybePromise<Part> {
    return andThen(this.#find(kind, hash, true), take);
  }

  /** Caches the articles of a page with one read, if the store can. */
  async readArticles(hashes: readonly ObjectHash[]): Promise<void> {
    const isKept = (hash: ObjectHash) => this.#kept.has(hash);
    if (!this.#store.readArticles || hashes.filter(isKept).length >= hashes.length / 2) return;
    const name = await this.hashOf(bodyOf(articlePackName(hashes)));
    const pack = await this.#store.readArticles(name);
    for (const hash of hashes) {
      const decoded = pack?.get(nameInPack('post', hash));
      if (decoded) this.#kept.set(hash, { kind: 'post', decoded }, { size: decoded.length + OVERHEAD_BYTES });
    }
  }

  /** The name of an object with these bytes. */
  hashOf(bytes: Uint8Array<ArrayBuffer>): MaybePromise<ObjectHash> {
    return this.#store.hashOf(bytes);
  }

  /** @param isLent whether the object will not be used after the next read */
  #find(kind: ObjectKind, hash: ObjectHash, isLent: boolean): MaybePromise<Decoded<ObjectKind>> {
    const kept = this.#kept.get(hash);
    if (kept?.kind === kind) return kept.decoded;
    return this.#reading.run(`${kind}/${hash}`, () => this.#load(kind, hash, isLent));
  }

  #load(kind: ObjectKind, hash: ObjectHash, isLent: boolean): MaybePromise<Decoded<ObjectKind>> {
    this.reads += 1;
    return andThen(this.#store.readObject(kind, hash, true), (bytes) => {
      if (bytes === null) throw new ObjectMissing(kind, hash);
      try {
        const { decode, growth, usesBytes } = OBJECT_KINDS[kind];
        const size = Math.ceil(bytes.length * growth) + OVERHEAD_BYTES;
        // Decoding takes more than reading: articles at random took 1.6 times as long while names were missing.
        const isKept = this.#doorkeeper.admits(this.#kept, hash, size, !usesBytes);
        const isOwn = bytes.length === bytes.buffer.byteLength || !usesBytes || (isLent && !isKept);
        const decoded = decode(isOwn ? bytes : new Uint8Array(bytes)); // A Buffer's `slice` does not copy.
        if (isKept) this.#kept.set(hash, { kind, decoded }, { size });
        return decoded;
      } catch (error) {
        throw new ObjectUnreadable(kind, hash, 'cannot be read', { cause: error });
      }
    });
  }
}
