import type { R2Bucket } from '@cloudflare/workers-types';
import { PREFIX } from '../../contract/api.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { KeyFile, KeyFiles } from '../key-cache.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { once } from '../once.ts';
import type { BucketFiles } from '../snapshot/packed-store.ts';
import { readTagged, type TaggedFile } from './bucket.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';
import { SHARING } from './sharing.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The header of a cached entry with the time it was read from R2, in ms since 1970. */
const READ_AT = 'x-read-at';

/** Such an entry is used as long as its time allows. */
const UNTIL_REPLACED = 'public, max-age=31536000';
const IMMUTABLE = `${UNTIL_REPLACED}, immutable`;

/** The bucket has no pointer: nothing was published, or to another prefix. */
export class NothingPublished extends Error {
  override name = 'NothingPublished';
  constructor(key: string) {
    super(`The bucket has no ${key}. Run "publish", and check that BUCKET_PREFIX names the same prefix.`);
  }
}

/** Which pointer an isolate of the data centre read last. */
interface Mark {
  readonly etag: string;
  readonly readAt: number;
}

/**
 * The bucket's files. The data centre's Cache API keeps them for all isolates there: objects, which never change, and with
 * the time when they were read the pointer and key records. R2 is read only on a cache miss.
 */
export class CachedBucket implements BucketFiles, KeyFiles {
  readonly sharing = SHARING;
  readonly #bucket: R2Bucket;
  readonly #prefix: string;
  readonly #cache: ObjectCache;
  readonly #origin: string;
  readonly #keysBelievedMs: number;
  /** The mark, until the first request takes it. */
  #firstMark: (() => MaybePromise<Mark | undefined>) | undefined;
  /** The file of the last pointer. */
  #pointer: TaggedFile | undefined;
  /** When the last result of `readPointer` was read, in ms since 1970. */
  pointerReadAt = -Infinity;

  /**
   * @param prefix of all keys in the bucket: empty, or with a trailing slash
   * @param cache of the data centre
   * @param origin of the Worker: the Cache API is fastest for its own host
   * @param keysBelievedMs how long a key record may be used after it was read from R2
   */
  constructor(bucket: R2Bucket, prefix: string, cache: ObjectCache, origin: string, keysBelievedMs: number) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#cache = cache;
    this.#origin = origin;
    this.#keysBelievedMs = keysBelievedMs;
    // Each request needs it first.
    this.#firstMark = once(() => this.#readMark(), SHARING);
    void this.#firstMark();
  }

  /** @throws NothingPublished, or R2's error after a retry */
  async readPointer(since: number): Promise<Bytes> {
    const mark =
      since === Infinity ? undefined : await (this.#firstMark ? this.#firstMark() : this.#readMark());
    this.#firstMark = undefined;
    const kept = this.#pointer && (!mark || mark.etag === this.#pointer.etag) ? this.#pointer : undefined;
    const known = kept?.etag ?? mark?.etag;
    const copy = kept ?? (mark && this.#readCopy(mark.etag));
    if (mark && mark.readAt > since && mark.readAt <= Date.now()) {
      const file = await copy;
      if (file) return this.#follow(file, mark.readAt);
    }
    const readAt = Date.now();
    let file = await readTagged(this.#bucket, this.#prefix + POINTER_PATH, known);
    if (file === 'unchanged') file = (await copy) ?? (await this.#readFile(POINTER_PATH));
    if (file === null) throw new NothingPublished(this.#prefix + POINTER_PATH);
    if (file.etag !== known) this.#keep(copyPath(file.etag), file.bytes, IMMUTABLE);
    this.#keep(POINTER_PATH, file.etag, UNTIL_REPLACED, readAt);
    return this.#follow(file, readAt);
  }

  /** SHA-256 in hexadecimal. */
  async hashOf(key: string): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** Under the interface's prefix: requests there always reach the Worker, so none can reach a cache entry. */
  addressOf(path: string): string {
    return `${this.#origin}${PREFIX}/.${this.#prefix}${path}`;
  }

  #follow(file: TaggedFile, readAt: number): Bytes {
    this.#pointer = file;
    this.pointerReadAt = readAt;
    return file.bytes;
  }

  #readMark(): Promise<Mark | undefined> {
    return readFrom(this.#cache, this.addressOf(POINTER_PATH), async (kept) => ({
      etag: await kept.text(),
      readAt: readAtOf(kept),
    }));
  }

  /** The pointer's file with this ETag. */
  async #readCopy(etag: string): Promise<TaggedFile | undefined> {
    const bytes = await this.#readKept(copyPath(etag));
    return bytes && { bytes, etag };
  }

  /** A key's record. Made-up keys have none, so they cannot fill the cache. */
  async read(path: string): Promise<KeyFile | null> {
    const kept = await readFrom(this.#cache, this.addressOf(path), async (response) => ({
      text: await response.text(),
      readAt: readAtOf(response),
    }));
    const readAt = Date.now();
    const age = kept ? readAt - kept.readAt : -1;
    // Negative: the clock was set back.
    if (kept && age >= 0 && age < this.#keysBelievedMs) return kept;
    const file = await this.#readFile(path);
    if (file === null) return null;
    const text = new TextDecoder().decode(file.bytes);
    this.#keep(path, text, `public, max-age=${this.#keysBelievedMs / 1000}`, readAt);
    return { text, readAt };
  }

  async readFile<T>(path: string, parse: (bytes: Bytes) => MaybePromise<T | null>): Promise<T | null> {
    const bytes = await this.#readImmutable(path);
    return bytes && parse(bytes);
  }

  async #readImmutable(path: string): Promise<Bytes | null> {
    const kept = await this.#readKept(path);
    if (kept) return kept;
    const file = await this.#readFile(path);
    if (file) this.#keep(path, file.bytes, IMMUTABLE);
    return file && file.bytes;
  }

  async #readFile(path: string): Promise<TaggedFile | null> {
    const file = await readTagged(this.#bucket, this.#prefix + path);
    return file === 'unchanged' ? null : file;
  }

  async #readKept(path: string): Promise<Bytes | undefined> {
    const kept = await readFrom(this.#cache, this.addressOf(path), (response) => response.arrayBuffer());
    return kept && new Uint8Array(kept);
  }

  #keep(path: string, body: Bytes | string, lifetime: string, readAt?: number): void {
    const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': lifetime });
    if (readAt !== undefined) headers.set(READ_AT, String(readAt));
    keepIn(this.#cache, this.addressOf(path), new Response(body, { headers }));
  }
}

/** The cached file of a pointer. It never changes. */
function copyPath(etag: string): string {
  return `${POINTER_PATH}/${etag}`;
}

function readAtOf({ headers }: Response): number {
  return Number(headers.get(READ_AT) ?? -Infinity);
}
