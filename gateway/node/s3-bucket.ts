import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  BucketEmpty,
  BucketError,
  EndpointFailed,
  EndpointUnreachable,
  FileAltered,
} from '../../common/bucket/errors.ts';
import type { S3Client, S3Reply, S3Request } from '../../common/bucket/s3-client.ts';
import { describeTarget } from '../../common/bucket/target.ts';
import { objectHash } from '../../common/object-hash.ts';
import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { parseKeyRecord } from '../../contract/key-record.ts';
import { decodePack } from '../../contract/pack.ts';
import { parsePointer, POINTER_PATH, PointerNewer, PointerUnreadable } from '../../contract/pointer.ts';
import { ApiError } from '../api-error.ts';
import type { KeyFile, KeyFiles } from '../key-cache.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { BucketFiles } from '../snapshot/packed-store.ts';
import type { FileCache } from './file-cache.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Records of keys in memory, for when the store is unavailable. */
const KEYS_KEPT = 10_000;

/** 503: an answer needs a file that is not on this machine. */
const STORE_AWAY = new ApiError(503, 'The blog cannot be read at the moment. Try again in a moment.', {
  retryAfter: 2,
});

/**
 * The files of a bucket, and copies on the local disk. While the store cannot be reached, the copies are served; also at a
 * start, from the last pointer. Keys that were used before keep working. Files are kept only if they can be read, since a proxy or
 * another server may answer instead of the store.
 */
export class S3Bucket implements BucketFiles, KeyFiles {
  readonly objectHash = objectHash;
  readonly #client: S3Client;
  readonly #keyClient: S3Client;
  readonly #cache: FileCache;
  readonly #keys = new LRUCache<string, KeyFile>({ max: KEYS_KEPT });
  /** The file of the last pointer, and its ETag. */
  #pointer: { readonly bytes: Bytes; readonly etag: string } | undefined;
  #hasStarted = false;
  /** Whether the last request failed, except look-ups of keys: many of these can fail alone. */
  #isAway = false;

  /** @param keyClient with connections of its own, for look-ups of keys */
  constructor(client: S3Client, keyClient: S3Client, cache: FileCache) {
    this.#client = client;
    this.#keyClient = keyClient;
    this.#cache = cache;
  }

  /** @throws PointerUnreadable, BucketEmpty, BucketError */
  async readPointer(): Promise<Bytes> {
    const known = this.#pointer;
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    try {
      const headers = known ? { 'if-none-match': known.etag } : {};
      const { status, body, header } = await this.#get(POINTER_PATH, headers);
      if (status === 304 && known) return known.bytes;
      if (status !== 200) throw new BucketEmpty(describeTarget(this.#client.target));
      // A store that ignores the ETag sends the same bytes.
      const same = known && Buffer.compare(body, known.bytes) === 0 ? known.bytes : undefined;
      const bytes = same ?? toBytes(body);
      const isComplete = !same && intactPointer(bytes) !== null;
      this.#pointer = { bytes, etag: header('etag') ?? '' };
      if (isComplete) void this.#cache.write(this.#pointerCopy(), bytes);
      return bytes;
    } catch (error) {
      const isNoPointer = error instanceof PointerUnreadable && !(error instanceof PointerNewer);
      const isAway = isNoPointer || error instanceof EndpointUnreachable || error instanceof EndpointFailed;
      const copy = isFirst && isAway && (await this.#cache.read(this.#pointerCopy(), intactPointer));
      if (!copy) throw error;
      return copy;
    }
  }

  /** @throws ApiError, if the store is unavailable; FileAltered */
  async readFile<T>(path: string, parse: (bytes: Bytes) => MaybePromise<T | null>): Promise<T | null> {
    const copy = await this.#cache.read(path, parse);
    if (copy !== null) return copy;
    const { status, body } = await this.#get(path).catch(unavailable);
    if (status !== 200) return null;
    const bytes = toBytes(body);
    const parsed = await parse(bytes);
    if (parsed === null) throw new FileAltered(describeTarget(this.#client.target), path);
    void this.#cache.write(path, bytes);
    return parsed;
  }

  hashKey(key: string): string {
    return hash('sha256', key, 'hex');
  }

  /** A key's record. @throws ApiError, if the store is unavailable or returns something else, and the key was not used before */
  async read(path: string): Promise<KeyFile | null> {
    const known = this.#keys.get(path);
    if (known !== undefined && this.#isAway) return known;
    try {
      const { status, body } = await this.#keyClient.send(this.#buildRequest(path));
      const file = status === 200 ? { text: body.toString() } : null;
      if (file) parseKeyRecord(file.text);
      if (file) this.#keys.set(path, file);
      else this.#keys.delete(path);
      return file;
    } catch (error) {
      return known ?? unavailable(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#keyClient.close()]);
  }

  async #get(path: string, headers = {}): Promise<S3Reply> {
    try {
      const reply = await this.#client.send({ ...this.#buildRequest(path), headers });
      this.#isAway = false;
      return reply;
    } catch (error) {
      this.#isAway = true;
      throw error;
    }
  }

  #buildRequest(path: string): S3Request {
    return { method: 'GET', key: this.#client.target.prefix + path };
  }

  /** Where the copy of the pointer is: separate for each bucket. */
  #pointerCopy(): string {
    const { endpoint } = this.#client.target;
    return `pointers/${objectHash(`${endpoint} ${describeTarget(this.#client.target)}`)}`;
  }
}

/** The store's failures are reported once, by those of the pointer. A response that is not a key record did not come from it. */
function unavailable(error: unknown): never {
  throw error instanceof BucketError || error instanceof SyntaxError ? STORE_AWAY : error;
}

/** The file of a pointer, if it is whole; null: its pack is damaged. @throws PointerUnreadable */
function intactPointer(file: Bytes): Bytes | null {
  const { text, pack } = splitBucketPointer(file);
  parsePointer(text);
  try {
    if (pack) decodePack(pack);
    return file;
  } catch {
    return null;
  }
}

function toBytes(body: Buffer): Bytes {
  return new Uint8Array(body);
}
