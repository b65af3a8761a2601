import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  BucketEmpty,
  BucketError,
  EndpointFailed,
  EndpointUnreachable,
  FileAltered,
} from '../../common/bucket/errors.ts';
import type { S3Client, S3Reply } from '../../common/bucket/s3-client.ts';
import { describeTarget } from '../../common/bucket/target.ts';
import { objectHash } from '../../common/object-hash.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { CURRENT_PACK } from '../../contract/pack.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { ApiError } from '../api-error.ts';
import type { KeyFiles } from '../key-cache.ts';
import type { BucketFiles } from '../snapshot/packed-store.ts';
import type { FileCache } from './file-cache.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Records of keys in memory, for the time when the store is away. */
const KEYS_KEPT = 10_000;

/** 503: an answer needs a file that is not on this machine. */
const STORE_AWAY = new ApiError(503, 'The blog cannot be read at the moment. Try again in a moment.', {
  retryAfter: 2,
});

/**
 * The files of a bucket, and copies on the local disk. While the store cannot be reached, the copies are served; also at a
 * start, from the last pointer. Keys that were used before keep working.
 */
export class S3Bucket implements BucketFiles, KeyFiles {
  readonly objectHash = objectHash;
  readonly #client: S3Client;
  readonly #cache: FileCache;
  readonly #keys = new LRUCache<string, string>({ max: KEYS_KEPT });
  /** The last pointer, and its ETag. */
  #pointer: { readonly text: string; readonly etag: string } | undefined;
  #hasStarted = false;
  /** Whether the last request failed. */
  #isAway = false;

  constructor(client: S3Client, cache: FileCache) {
    this.#client = client;
    this.#cache = cache;
  }

  /** @throws BucketEmpty, BucketError */
  async readPointer(): Promise<string> {
    const known = this.#pointer;
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    try {
      const headers = known ? { 'if-none-match': known.etag } : {};
      const { status, body, header } = await this.#get(POINTER_PATH, headers);
      if (status === 304 && known) return known.text;
      if (status !== 200) throw new BucketEmpty(describeTarget(this.#client.target));
      const text = body.toString();
      this.#pointer = { text, etag: header('etag') ?? '' };
      if (text !== known?.text) void this.#cache.write(this.#copyOf(POINTER_PATH), body);
      return text;
    } catch (error) {
      const isUnreachable = error instanceof EndpointUnreachable || error instanceof EndpointFailed;
      const copy = isFirst && isUnreachable && (await this.#cache.read(this.#copyOf(POINTER_PATH)));
      if (!copy) throw error;
      return Buffer.from(copy).toString();
    }
  }

  /** @throws BucketError, if there is no copy */
  async readCurrentPack(): Promise<Bytes | null> {
    const copy = this.#copyOf(CURRENT_PACK);
    try {
      const { status, body } = await this.#get(CURRENT_PACK);
      if (status !== 200) return null;
      void this.#cache.write(copy, body);
      return bytesOf(body);
    } catch (error) {
      const bytes = await this.#cache.read(copy);
      if (bytes) return bytes;
      throw error;
    }
  }

  /** @throws ApiError, if the store is away; FileAltered */
  async readFile(path: string, expected?: ObjectHash): Promise<Bytes | null> {
    const copy = await this.#cache.read(path);
    if (copy) return copy;
    const { status, body } = await this.#get(path).catch(unavailable);
    if (status !== 200) return null;
    const bytes = bytesOf(body);
    if (expected !== undefined && objectHash(bytes) !== expected) {
      throw new FileAltered(describeTarget(this.#client.target), path);
    }
    void this.#cache.write(path, bytes);
    return bytes;
  }

  hashOf(key: string): string {
    return hash('sha256', key, 'hex');
  }

  /** The text of a key's record. @throws ApiError, if the store is away and the key was not used before */
  async read(path: string): Promise<string | null> {
    const known = this.#keys.get(path);
    if (known !== undefined && this.#isAway) return known;
    const { status, body } = await this.#get(path).catch((error: unknown) =>
      known === undefined ? unavailable(error) : { status: 200, body: Buffer.from(known) },
    );
    const text = status === 200 ? body.toString() : null;
    if (text === null) this.#keys.delete(path);
    else this.#keys.set(path, text);
    return text;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #get(path: string, headers = {}): Promise<S3Reply> {
    try {
      const key = this.#client.target.prefix + path;
      const reply = await this.#client.send({ method: 'GET', key, headers });
      this.#isAway = false;
      return reply;
    } catch (error) {
      this.#isAway = true;
      throw error;
    }
  }

  /** Where the copy of a file that changes is: apart for each bucket. */
  #copyOf(path: string): string {
    const { endpoint } = this.#client.target;
    return `${objectHash(`${endpoint} ${describeTarget(this.#client.target)}`)}/${path}`;
  }
}

/** The store's failures are reported once, by those of the pointer. */
function unavailable(error: unknown): never {
  throw error instanceof BucketError ? STORE_AWAY : error;
}

function bytesOf(body: Buffer): Bytes {
  return new Uint8Array(body);
}
