import { LRUCache } from 'lru-cache';
import type { ObjectHash } from '../../contract/object-name.ts';
import { type Decoded, OBJECT_KINDS, type ObjectKind } from '../../contract/object-kinds.ts';
import { articlePackName } from '../../contract/pack.ts';
import { bodyOf } from '../answer.ts';
import type { SnapshotStore } from '../home.ts';
import { SingleFlight } from '../single-flight.ts';
import type { Soon } from '../soon.ts';

/** What an entry takes beside the object. */
const OVERHEAD_BYTES = 200;

/** An object that the snapshot names is not in the store, or cannot be read. */
export class ObjectUnreadable extends Error {
  override name = 'ObjectUnreadable';
  constructor(kind: ObjectKind, hash: ObjectHash, detail: string, options?: ErrorOptions) {
    super(
      `The object ${kind}/${hash} ${detail}. Run "build --full" to repair it; for a bucket, then "publish --full".`,
      options,
    );
  }
}

/** There is no object of that name: it was pruned since, or a publish went wrong. */
export class ObjectMissing extends ObjectUnreadable {
  override name = 'ObjectMissing';
  constructor(kind: ObjectKind, hash: ObjectHash) {
    super(kind, hash, 'is missing');
  }
}

type ObjectStore = Omit<SnapshotStore, 'readPointer'>;

/**
 * Objects of the store, decoded, as many as fit into a number of bytes. Objects never change, so one
 * cache serves all snapshots, and what two snapshots share is read once. An object that many ask for at
 * once is read once.
 */
export class Objects {
  readonly #store: ObjectStore;
  readonly #kept: LRUCache<string, Decoded<ObjectKind>>;
  readonly #reading = new SingleFlight<Decoded<ObjectKind>>();
  /** How many were read from the store. */
  reads = 0;

  constructor(store: ObjectStore, maxBytes: number) {
    this.#store = store;
    this.#kept = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / 2 });
  }

  /** What is kept takes so many bytes. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @throws ObjectUnreadable */
  read<Kind extends ObjectKind>(kind: Kind, hash: ObjectHash): Soon<Decoded<Kind>>;
  read(kind: ObjectKind, hash: ObjectHash): Soon<Decoded<ObjectKind>> {
    const name = `${kind}/${hash}`;
    const kept = this.#kept.get(name);
    if (kept) return kept;
    return this.#reading.run(name, () => this.#load(kind, hash, name));
  }

  /** Reads the articles of a page together, where the store can; they are kept as if each had been read. */
  async readArticles(hashes: readonly ObjectHash[]): Promise<void> {
    const isKept = (hash: ObjectHash) => this.#kept.has(`post/${hash}`);
    if (!this.#store.readArticles || hashes.filter(isKept).length >= hashes.length / 2) return;
    const name = await this.hashOf(bodyOf(articlePackName(hashes)));
    const pack = await this.#store.readArticles(name);
    for (const [object, bytes] of pack ?? []) {
      this.#kept.set(object, bytes, { size: bytes.length + OVERHEAD_BYTES });
    }
  }

  /** The name that an object of these bytes has. */
  hashOf(bytes: Uint8Array<ArrayBuffer>): Soon<ObjectHash> {
    return this.#store.hashOf(bytes);
  }

  async #load(kind: ObjectKind, hash: ObjectHash, name: string): Promise<Decoded<ObjectKind>> {
    this.reads += 1;
    const bytes = await this.#store.readObject(kind, hash);
    if (bytes === null) throw new ObjectMissing(kind, hash);
    try {
      const { decode, growth } = OBJECT_KINDS[kind];
      const decoded = decode(bytes);
      this.#kept.set(name, decoded, { size: Math.ceil(bytes.length * growth) + OVERHEAD_BYTES });
      return decoded;
    } catch (error) {
      throw new ObjectUnreadable(kind, hash, 'cannot be read', { cause: error });
    }
  }
}
