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
  /** As readPointer of SnapshotStore. */
  readPointer(since?: number): Promise<string>;
  /** The pack next to the pointer, as it is now; null: none. */
  readCurrentPack(): Promise<Bytes | null>;
  /** A file that never changes; null: none. @param hash of its bytes, if it is an object */
  readFile(path: string, hash?: ObjectHash): Promise<Bytes | null>;
  /** The name of an object with these bytes. If given, objects in packs are checked by it. */
  readonly objectHash?: (bytes: Bytes) => ObjectHash;
}

/** Reads the snapshots of a bucket: from packs, to save reads, and from objects. */
export class PackedStore implements SnapshotStore {
  readonly #files: BucketFiles;
  /** The pack next to the pointer: read with the first pointer, and again when the pointer changes. */
  #current: Promise<Pack | null> | undefined;
  /** The last pointer's snapshot, and its own pack once it is needed. */
  #named:
    { readonly snapshot: ObjectHash; readonly hasPack: boolean; pack?: Promise<Pack | null> } | undefined;

  constructor(files: BucketFiles) {
    this.#files = files;
  }

  /** @throws PointerUnreadable, or the errors of the files */
  async readPointer(since = Infinity): Promise<string> {
    this.#current ??= this.#readCurrent();
    const text = await this.#files.readPointer(since);
    const pointer = parsePointer(text);
    const { snapshot } = pointer;
    if (this.#named?.snapshot !== snapshot) {
      if (this.#named) this.#current = this.#readCurrent();
      this.#named = { snapshot, hasPack: hasPack(pointer) };
    }
    return text;
  }

  async readObject(kind: ObjectKind, hash: ObjectHash): Promise<Bytes | null> {
    if (isPacked(kind)) {
      const name = nameInPack(kind, hash);
      const packed = (await this.#current)?.get(name) ?? (await this.#pack())?.get(name);
      if (packed) return packed.slice();
      const zipped = (await this.#current)?.get(zippedNameInPack(kind, hash));
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

  #readCurrent(): Promise<Pack | null> {
    return this.#packFrom(this.#files.readCurrentPack());
  }

  /** Read once for each snapshot. */
  #pack(): Promise<Pack | null> | undefined {
    const named = this.#named;
    if (!named?.hasPack) return undefined;
    return (named.pack ??= this.#packFrom(this.#files.readFile(packPath(named.snapshot))));
  }

  /** Packs only save reads: if one is missing or broken, objects are read. */
  async #packFrom(read: Promise<Bytes | null>): Promise<Pack | null> {
    try {
      const bytes = await read;
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
