import type { R2Bucket } from '@cloudflare/workers-types';
import { PREFIX } from '../../contract/api.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { withDeadline } from '../deadline.ts';
import { retryOnce } from '../fetch/retry-once.ts';
import type { KeyFile, KeyFiles } from '../key-cache.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { BucketFiles } from '../snapshot/packed-store.ts';
import { SHARING, waitUntilSettled } from './sharing.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The part of the Cache API that is used. */
export interface ObjectCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

/** A file, and the ETag of these bytes. */
interface TaggedFile {
  readonly bytes: Bytes;
  readonly etag: string;
}

/** The deadline of a read from R2, for each of two attempts. Only requests waiting for this file fail. */
const READ_MS = 5000;

/** The header of a cached entry with the time it was read from R2, in ms since 1970. */
const READ_AT = 'x-read-at';
/** That of the pointer's ETag in R2. */
const ETAG = 'x-etag';

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
  }

  /** @throws NothingPublished, or R2's error after a retry */
  async readPointer(since: number): Promise<Bytes> {
    const copy = since === Infinity ? undefined : await this.#readPointerCopy();
    if (copy && copy.readAt > since && copy.readAt <= Date.now()) return this.#follow(copy, copy.readAt);
    const known = copy ?? this.#pointer;
    const readAt = Date.now();
    const read = await this.#readFile(POINTER_PATH, known?.etag);
    const file = read === 'unchanged' ? known : read;
    if (!file) throw new NothingPublished(this.#prefix + POINTER_PATH);
    this.#keep(POINTER_PATH, file.bytes, UNTIL_REPLACED, { [READ_AT]: String(readAt), [ETAG]: file.etag });
    return this.#follow(file, readAt);
  }

  /** SHA-256 in hexadecimal. */
  async hashKey(key: string): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** Under the interface's prefix: requests there always reach the Worker, so none can reach a cache entry. */
  #cacheAddress(path: string): string {
    return `${this.#origin}${PREFIX}/.${this.#prefix}${path}`;
  }

  #follow({ bytes, etag }: TaggedFile, readAt: number): Bytes {
    this.#pointer = { bytes, etag };
    this.pointerReadAt = readAt;
    return bytes;
  }

  /** The pointer of the location; the one in memory if it is the same. */
  #readPointerCopy(): Promise<(TaggedFile & { readonly readAt: number }) | undefined> {
    return this.#readKept(POINTER_PATH, async (response) => {
      const [etag, readAt] = [response.headers.get(ETAG) ?? '', getReadTime(response)];
      if (etag === this.#pointer?.etag) {
        await response.body?.cancel();
        return { ...this.#pointer, readAt };
      }
      return { bytes: new Uint8Array(await response.arrayBuffer()), etag, readAt };
    });
  }

  /** A key's record. Made-up keys have none, so they cannot fill the cache. */
  async read(path: string): Promise<KeyFile | null> {
    const kept = await this.#readKept(path, async (response) => ({
      text: await response.text(),
      readAt: getReadTime(response),
    }));
    const readAt = Date.now();
    const age = kept ? readAt - kept.readAt : -1;
    // Negative: the clock was set back.
    if (kept && age >= 0 && age < this.#keysBelievedMs) return kept;
    const file = await this.#readFile(path);
    if (file === null) return null;
    const text = new TextDecoder().decode(file.bytes);
    this.#keep(path, text, `public, max-age=${this.#keysBelievedMs / 1000}`, {
      [READ_AT]: String(readAt),
    });
    return { text, readAt };
  }

  async readFile<T>(path: string, parse: (bytes: Bytes) => MaybePromise<T | null>): Promise<T | null> {
    const kept = await this.#readKept(path, (response) => response.arrayBuffer());
    if (kept) return parse(new Uint8Array(kept));
    const file = await this.#readFile(path);
    if (file === null) return null;
    this.#keep(path, file.bytes, IMMUTABLE);
    return parse(file.bytes);
  }

  /**
   * Reads a published file.
   *
   * @param known an ETag: `unchanged` if the file still has it
   * @returns null: there is no such file
   * @throws R2's error after a retry, or DeadlineExceeded
   */
  #readFile(path: string): Promise<TaggedFile | null>;
  #readFile(path: string, known: string | undefined): Promise<TaggedFile | 'unchanged' | null>;
  #readFile(path: string, known?: string): Promise<TaggedFile | 'unchanged' | null> {
    const key = this.#prefix + path;
    const read = async () => {
      const object = await this.#bucket.get(key, known ? { onlyIf: { etagDoesNotMatch: known } } : {});
      if (object === null) return null;
      // R2 returns the object without its body if the condition fails.
      if (!('body' in object)) return 'unchanged';
      return { bytes: new Uint8Array(await object.arrayBuffer()), etag: object.etag };
    };
    const late = `R2 did not return ${key} within ${READ_MS / 1000} seconds.`;
    return retryOnce(() => withDeadline(READ_MS, read(), late));
  }

  /** Applies `read` to an entry of the Cache API; undefined on a miss. A cache that fails counts as a miss. */
  async #readKept<T>(path: string, read: (kept: Response) => T | Promise<T>): Promise<T | undefined> {
    try {
      const kept = await this.#cache.match(this.#cacheAddress(path));
      return kept && (await read(kept));
    } catch {
      return undefined;
    }
  }

  /** Stores an entry in the background. Failures are ignored. */
  #keep(path: string, body: Bytes | string, lifetime: string, more?: Readonly<Record<string, string>>): void {
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': lifetime, ...more };
    const keep = async () => this.#cache.put(this.#cacheAddress(path), new Response(body, { headers }));
    waitUntilSettled(keep()).catch(() => undefined);
  }
}

function getReadTime({ headers }: Response): number {
  return Number(headers.get(READ_AT) ?? -Infinity);
}
