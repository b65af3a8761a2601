import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { type ObjectHash, objectPath, toObjectHash } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import {
  decodePack,
  hasPack,
  isPacked,
  nameInPack,
  type Pack,
  packPath,
  zippedNameInPack,
} from '../../contract/pack.ts';
import { parsePointer } from '../../contract/pointer.ts';
import type { SnapshotStore } from '../home.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { once, type Sharing } from '../single-flight.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A home's access to the files of a bucket, by their paths in it. */
export interface BucketFiles {
  /** As in SnapshotStore. */
  readonly sharing?: Sharing | undefined;
  /**
   * The pointer's file (contract/bucket-pointer.ts); the same bytes as before if it has not changed.
   *
   * @param since as in SnapshotStore
   */
  readPointer(since: number): Promise<Bytes>;
  /** A file that never changes, parsed; null: none. @param parse fails, or returns null, if the file is damaged */
  readFile<T>(path: string, parse: (bytes: Bytes) => MaybePromise<T | null>): Promise<T | null>;
  /** The name of an object with these bytes. If given, objects are checked by it. */
  readonly objectHash?: (bytes: Bytes) => ObjectHash;
}

/** A pointer, and its packs. */
interface LatestPointer {
  /** The pointer's file. */
  readonly file: Bytes;
  readonly text: string;
  /** The pack next to the pointer. */
  readonly first: Pack | null;
  /** Reads the snapshot's own pack, if it has one. */
  readonly pack: (() => MaybePromise<Pack | null>) | undefined;
}

/** Reads the snapshots of a bucket: from packs, to save reads, and from objects. */
export class PackedStore implements SnapshotStore {
  readonly #files: BucketFiles;
  readonly sharing: Sharing | undefined;
  /** The last pointer. */
  #latest: LatestPointer | undefined;

  constructor(files: BucketFiles) {
    this.#files = files;
    this.sharing = files.sharing;
  }

  /** @throws PointerUnreadable, or the errors of the files */
  async readPointer(since = Infinity): Promise<string> {
    const file = await this.#files.readPointer(since);
    if (this.#latest?.file === file) return this.#latest.text;
    const { text, pack } = splitBucketPointer(file);
    const pointer = parsePointer(text);
    const readPack = () => this.#readPack(packPath(pointer.snapshot), (bytes) => this.#decode(bytes));
    this.#latest = {
      file,
      text,
      first: pack && this.#decode(pack),
      pack: hasPack(pointer) ? once(readPack, this.sharing) : undefined,
    };
    return text;
  }

  async readObject(kind: ObjectKind, hash: ObjectHash): Promise<Bytes | null> {
    const name = nameInPack(kind, hash);
    if (isPacked(kind)) {
      const latest = this.#latest;
      const first = latest?.first;
      const packed = first?.get(name) ?? (await latest?.pack?.())?.get(name);
      if (packed) return new Uint8Array(packed); // A part of it would keep all of it in memory.
      const zipped = first?.get(zippedNameInPack(kind, hash));
      const bytes = zipped && (await gunzip(zipped).catch(() => null));
      if (bytes && this.#isIntact(name, bytes)) return bytes;
    }
    return this.#files.readFile(objectPath(kind, hash), (bytes) =>
      this.#isIntact(name, bytes) ? bytes : null,
    );
  }

  hashObject(bytes: Bytes): MaybePromise<ObjectHash> {
    return this.#files.objectHash ? this.#files.objectHash(bytes) : objectHash(bytes);
  }

  /** Packs only save reads: if one is missing or damaged, objects are read. */
  #readPack(path: string, parse: (bytes: Bytes) => MaybePromise<Pack | null>): Promise<Pack | null> {
    return this.#files.readFile(path, parse).catch(() => null);
  }

  /** Null: it is damaged. */
  #decode(bytes: Bytes): Pack | null {
    try {
      const pack = decodePack(bytes);
      return [...pack].every(([name, object]) => this.#isIntact(name, object)) ? pack : null;
    } catch {
      return null;
    }
  }

  /** Gzipped objects are checked when they are read. */
  #isIntact(name: string, bytes: Bytes): boolean {
    const { objectHash: hashBytes } = this.#files;
    return hashBytes === undefined || name.endsWith('.gz') || name.endsWith(`/${hashBytes(bytes)}`);
  }
}

async function objectHash(bytes: Bytes): Promise<ObjectHash> {
  return toObjectHash(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Decompresses gzip. @throws TypeError if the bytes are not gzip */
async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
