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
import { LOOK_MS } from '../fetch/latest-snapshot.ts';
import type { Bucket } from './bucket.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';
import { unzipped } from '../unzipped.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/** Where an entry of the cache says when the pointer was read. */
const READ_AT = 'x-read-at';

/** The bucket has no pointer: nothing was published to it, or to another prefix. */
export class NothingPublished extends Error {
  override name = 'NothingPublished';
  constructor(key: string) {
    super(`The bucket has no ${key}. Run "publish", and check that BUCKET_PREFIX names the same prefix.`);
  }
}

/**
 * Snapshots in the bucket. Objects never change, so the Cache API of the place keeps them for all
 * isolates there, and R2 is asked only where it has none.
 */
export class BucketSnapshotStore implements SnapshotStore {
  readonly #bucket: Bucket;
  readonly #cache: ObjectCache;
  readonly #origin: string;
  /** When the pointer was read that `readPointer` gave last, in ms since 1970. */
  pointerReadAt = -Infinity;
  /** What the pack next to the pointer has: read with the first pointer, and after each that differs. */
  #current: Promise<Pack | null> | undefined;
  /** The snapshot that the pointer named last, and what its own pack has, once it is asked for. */
  #named:
    { readonly snapshot: ObjectHash; readonly hasPack: boolean; pack?: Promise<Pack | null> } | undefined;

  /**
   * @param cache of the place where the Worker runs
   * @param origin of the Worker: the Cache API is fastest with its own host
   */
  constructor(bucket: Bucket, cache: ObjectCache, origin: string) {
    this.#bucket = bucket;
    this.#cache = cache;
    this.#origin = origin;
  }

  /** @throws NothingPublished, PointerUnreadable, or what R2 throws twice */
  async readPointer(since = Infinity): Promise<string> {
    this.#current ??= this.#readCurrent();
    const text = (await this.#keptPointer(since)) ?? (await this.#pointerNow());
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
      const bytes = zipped && (await unzipped(zipped).catch(() => null));
      if (bytes) return bytes;
    }
    return waitUntilSettled(this.#read(objectPath(kind, hash)));
  }

  async readArticles(name: ObjectHash): Promise<Pack | null> {
    return packFrom(
      waitUntilSettled(this.#read(articlePackPath(name))).then((bytes) => bytes && unzipped(bytes)),
    );
  }

  async hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<ObjectHash> {
    return toObjectHash(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  }

  /** The pointer as another isolate of the place has read it. */
  async #keptPointer(since: number): Promise<string | undefined> {
    if (since === Infinity) return undefined;
    return readFrom(this.#cache, this.#addressOf(POINTER_PATH), async (kept) => {
      const readAt = Number(kept.headers.get(READ_AT) ?? -Infinity);
      if (readAt <= since) return undefined;
      const text = await kept.text();
      this.pointerReadAt = readAt;
      return text;
    });
  }

  async #pointerNow(): Promise<string> {
    const readAt = Date.now();
    const text = await this.#bucket.read(POINTER_PATH);
    if (text === null) throw new NothingPublished(this.#bucket.prefix + POINTER_PATH);
    const headers = { 'Cache-Control': `public, max-age=${LOOK_MS / 1000}`, [READ_AT]: String(readAt) };
    keepIn(this.#cache, this.#addressOf(POINTER_PATH), new Response(text, { headers }));
    this.pointerReadAt = readAt;
    return text;
  }

  /** Below the interface's own prefix, where every request reaches the Worker and none an entry of the cache. */
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

  /** What stands for ever under a path. */
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

/** Packs only spare reads: where there is none, or it is broken, objects are read. */
function packFrom(read: Promise<Uint8Array<ArrayBuffer> | null>): Promise<Pack | null> {
  return read.then((bytes) => bytes && decodePack(bytes)).catch(() => null);
}
