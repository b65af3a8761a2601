import { PREFIX } from '../../contract/api.ts';
import { type ObjectHash, objectPath, toObjectHash } from '../../contract/object-name.ts';
import {
  articlePackPath,
  CURRENT_PACK,
  decodePack,
  hasPack,
  isPacked,
  nameInPack,
  type Pack,
  packPath,
  zippedNameInPack,
} from '../../contract/pack.ts';
import { parsePointer, POINTER_PATH } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { SnapshotStore } from '../home.ts';
import { FRESH_MS } from '../fetch/fresh-snapshot.ts';
import type { Bucket } from './bucket.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';
import { gunzip } from '../gunzip.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/** The header of a cached pointer with the time it was read. */
const READ_AT = 'x-read-at';

/** The bucket has no pointer: nothing was published, or to another prefix. */
export class NothingPublished extends Error {
  override name = 'NothingPublished';
  constructor(key: string) {
    super(`The bucket has no ${key}. Run "publish", and check that BUCKET_PREFIX names the same prefix.`);
  }
}

/**
 * Reads snapshots from the bucket. Objects never change, so the data centre's Cache API keeps them for all isolates there,
 * and R2 is read only on a cache miss.
 */
export class BucketSnapshotStore implements SnapshotStore {
  readonly #bucket: Bucket;
  readonly #cache: ObjectCache;
  readonly #origin: string;
  /** When the last result of `readPointer` was read, in ms since 1970. */
  pointerReadAt = -Infinity;
  /** The pack next to the pointer: read with the first pointer, and again when the pointer changes. */
  #current: Promise<Pack | null> | undefined;
  /** The last pointer's snapshot, and its own pack once it is needed. */
  #named:
    { readonly snapshot: ObjectHash; readonly hasPack: boolean; pack?: Promise<Pack | null> } | undefined;

  /**
   * @param cache of the data centre
   * @param origin of the Worker: the Cache API is fastest for its own host
   */
  constructor(bucket: Bucket, cache: ObjectCache, origin: string) {
    this.#bucket = bucket;
    this.#cache = cache;
    this.#origin = origin;
  }

  /** @throws NothingPublished, PointerUnreadable, or R2's error after a retry */
  async readPointer(since = Infinity): Promise<string> {
    this.#current ??= this.#readCurrent();
    const text = (await this.#cachedPointer(since)) ?? (await this.#readBucketPointer());
    const pointer = parsePointer(text);
    const { snapshot } = pointer;
    if (this.#named?.snapshot !== snapshot) {
      if (this.#named) this.#current = this.#readCurrent();
      this.#named = { snapshot, hasPack: hasPack(pointer) };
    }
    return text;
  }

  async readObject(kind: ObjectKind, hash: ObjectHash): Promise<Uint8Array<ArrayBuffer> | null> {
    if (isPacked(kind)) {
      const name = nameInPack(kind, hash);
      const packed = (await this.#current)?.get(name) ?? (await this.#pack())?.get(name);
      if (packed) return packed.slice();
      const zipped = (await this.#current)?.get(zippedNameInPack(kind, hash));
      const bytes = zipped && (await gunzip(zipped).catch(() => null));
      if (bytes) return bytes;
    }
    return waitUntilSettled(this.#read(objectPath(kind, hash)));
  }

  async readArticles(name: ObjectHash): Promise<Pack | null> {
    return packFrom(
      waitUntilSettled(this.#read(articlePackPath(name))).then((bytes) => bytes && gunzip(bytes)),
    );
  }

  async hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<ObjectHash> {
    return toObjectHash(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  }

  /** The pointer as read by another isolate of the data centre. */
  async #cachedPointer(since: number): Promise<string | undefined> {
    if (since === Infinity) return undefined;
    return readFrom(this.#cache, this.#addressOf(POINTER_PATH), async (kept) => {
      const readAt = Number(kept.headers.get(READ_AT) ?? -Infinity);
      if (readAt <= since) return undefined;
      const text = await kept.text();
      this.pointerReadAt = readAt;
      return text;
    });
  }

  async #readBucketPointer(): Promise<string> {
    const readAt = Date.now();
    const text = await this.#bucket.read(POINTER_PATH);
    if (text === null) throw new NothingPublished(this.#bucket.prefix + POINTER_PATH);
    const headers = { 'Cache-Control': `public, max-age=${FRESH_MS / 1000}`, [READ_AT]: String(readAt) };
    keepIn(this.#cache, this.#addressOf(POINTER_PATH), new Response(text, { headers }));
    this.pointerReadAt = readAt;
    return text;
  }

  /** Under the interface's prefix: requests there always reach the Worker, so none can reach a cache entry. */
  #addressOf(path: string): string {
    return `${this.#origin}${PREFIX}/.${this.#bucket.prefix}${path}`;
  }

  #readCurrent(): Promise<Pack | null> {
    return packFrom(this.#bucket.readBytes(CURRENT_PACK));
  }

  /** Read once for each snapshot. */
  #pack(): Promise<Pack | null> | undefined {
    const named = this.#named;
    if (!named?.hasPack) return undefined;
    return (named.pack ??= packFrom(waitUntilSettled(this.#read(packPath(named.snapshot)))));
  }

  /** Reads an immutable file. */
  async #read(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const address = this.#addressOf(path);
    const kept = await readFrom(this.#cache, address, (response) => response.arrayBuffer());
    if (kept) return new Uint8Array(kept);

    const bytes = await this.#bucket.readBytes(path);
    if (!bytes) return null;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
    };
    keepIn(this.#cache, address, new Response(bytes, { headers }));
    return bytes;
  }
}

/** Packs only save reads: if one is missing or broken, objects are read. */
function packFrom(read: Promise<Uint8Array<ArrayBuffer> | null>): Promise<Pack | null> {
  return read.then((bytes) => bytes && decodePack(bytes)).catch(() => null);
}
