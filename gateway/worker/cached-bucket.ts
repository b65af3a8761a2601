import { PREFIX } from '../../contract/api.ts';
import { CURRENT_PACK } from '../../contract/pack.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { FRESH_MS } from '../fetch/fresh-snapshot.ts';
import type { Bucket } from './bucket.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';
import type { BucketFiles } from '../snapshot/packed-store.ts';
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
 * The bucket's files. Objects never change, so the data centre's Cache API keeps them for all isolates there, and R2 is read
 * only on a cache miss.
 */
export class CachedBucket implements BucketFiles {
  readonly #bucket: Bucket;
  readonly #cache: ObjectCache;
  readonly #origin: string;
  /** When the last result of `readPointer` was read, in ms since 1970. */
  pointerReadAt = -Infinity;

  /**
   * @param cache of the data centre
   * @param origin of the Worker: the Cache API is fastest for its own host
   */
  constructor(bucket: Bucket, cache: ObjectCache, origin: string) {
    this.#bucket = bucket;
    this.#cache = cache;
    this.#origin = origin;
  }

  /** @throws NothingPublished, or R2's error after a retry */
  async readPointer(since: number): Promise<string> {
    return (await this.#cachedPointer(since)) ?? (await this.#readBucketPointer());
  }

  readCurrentPack(): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#bucket.readBytes(CURRENT_PACK);
  }

  readFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return waitUntilSettled(this.#read(path));
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
