import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { type ObjectHash, objectPath, toObjectHash } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import {
  articlePackPath,
  decodePack,
  hasPack,
  isPacked,
  nameInPack,
  type Pack,
  packPath,
  zippedNameInPack,
} from '../../contract/pack.ts';
import { parsePointer } from '../../contract/pointer.ts';
import { gunzip } from '../gunzip.ts';
import type { SnapshotStore } from '../home.ts';
import type { MaybePromise } from '../maybe-promise.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A home's access to the files of a bucket, by their paths in it. */
export interface BucketFiles {
  /**
   * The pointer's file (contract/bucket-pointer.ts); the same bytes as before if it has not changed.
   *
   * @param since as in SnapshotStore
   */
  readPointer(since: number): Promise<Bytes>;
  /** A file that never changes; null: none. @param hash of its bytes, if it is an object */
  readFile(path: string, hash?: ObjectHash): Promise<Bytes | null>;
  /** The name of an object with these bytes. If given, objects in packs are checked by it. */
  readonly objectHash?: (bytes: Bytes) => ObjectHash;
}

/** A pointer, and its packs. */
interface Named {
  /** The pointer's file. */
  readonly file: Bytes;
  readonly text: string;
  readonly snapshot: ObjectHash;
  /** The pack next to the pointer. */
  readonly first: Pack | null;
  readonly hasPack: boolean;
  /** The snapshot's own pack, once it is needed. */
  pack?: Promise<Pack | null>;
}

/** Reads the snapshots of a bucket: from packs, to save reads, and from objects. */
export class PackedStore implements SnapshotStore {
  readonly #files: BucketFiles;
  /** The last pointer. */
  #named: Named | undefined;

  constructor(files: BucketFiles) {
    this.#files = files;
  }

  /** @throws PointerUnreadable, or the errors of the files */
  async readPointer(since = Infinity): Promise<string> {
    const file = await this.#files.readPointer(since);
    if (this.#named?.file === file) return this.#named.text;
    const { text, pack } = splitBucketPointer(file);
    const pointer = parsePointer(text);
    const { snapshot } = pointer;
    this.#named = { file, text, snapshot, first: this.#decode(pack), hasPack: hasPack(pointer) };
    return text;
  }

  async readObject(kind: ObjectKind, hash: ObjectHash, mayLend = false): Promise<Bytes | null> {
    if (isPacked(kind)) {
      const name = nameInPack(kind, hash);
      const first = this.#named?.first;
      const packed = first?.get(name) ?? (await this.#pack())?.get(name);
      if (packed) return mayLend ? packed : new Uint8Array(packed);
      const zipped = first?.get(zippedNameInPack(kind, hash));
      const bytes = zipped && (await gunzip(zipped).catch(() => null));
      if (bytes && this.#isIntact(name, bytes)) return bytes;
    }
    return this.#files.readFile(objectPath(kind, hash), hash);
  }

  async readArticles(name: ObjectHash): Promise<Pack | null> {
    const path = articlePackPath(name);
    return this.#packFrom(this.#files.readFile(path).then((bytes) => bytes && gunzip(bytes)));
  }

  hashOf(bytes: Bytes): MaybePromise<ObjectHash> {
    return this.#files.objectHash ? this.#files.objectHash(bytes) : objectHash(bytes);
  }

  /** Read once for each snapshot. */
  #pack(): Promise<Pack | null> | undefined {
    const named = this.#named;
    if (!named?.hasPack) return undefined;
    return (named.pack ??= this.#packFrom(this.#files.readFile(packPath(named.snapshot))));
  }

  async #packFrom(read: Promise<Bytes | null>): Promise<Pack | null> {
    return this.#decode(await read.catch(() => null));
  }

  /** Packs only save reads: if one is missing or broken, objects are read. */
  #decode(bytes: Bytes | null): Pack | null {
    try {
      const pack = bytes && decodePack(bytes);
      if (!pack || !this.#files.objectHash) return pack;
      return new Map([...pack].filter(([name, object]) => this.#isIntact(name, object)));
    } catch {
      return null;
    }
  }

  /** Gzipped objects are checked when they are read. */
  #isIntact(name: string, bytes: Bytes): boolean {
    const { objectHash: hashOf } = this.#files;
    return hashOf === undefined || name.endsWith('.gz') || name.endsWith(`/${hashOf(bytes)}`);
  }
}

async function objectHash(bytes: Bytes): Promise<ObjectHash> {
  return toObjectHash(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
