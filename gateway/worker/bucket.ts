import type { R2Bucket, R2ObjectBody } from '@cloudflare/workers-types';
import { retryOnce, withDeadline } from '../fetch/retry-once.ts';
import type { KeyFiles } from '../known-keys.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/** How long a read may take, for each of two tries. All who wait for the same object then get an error, and nobody else. */
const READ_MS = 5000;

/** R2 did not give an object in time. */
class ReadTookTooLong extends Error {
  override name = 'ReadTookTooLong';
  constructor(key: string) {
    super(`R2 did not give ${key} within ${READ_MS / 1000} seconds.`);
  }
}

/** The files that `publish` wrote. Each gives null where there is none, and throws what R2 throws twice, or ReadTookTooLong. */
export class Bucket implements KeyFiles {
  readonly #bucket: R2Bucket;
  /** Of all keys: empty, or with a slash at the end. */
  readonly prefix: string;

  constructor(bucket: R2Bucket, prefix: string) {
    this.#bucket = bucket;
    this.prefix = prefix;
  }

  /** SHA-256 in hexadecimal. */
  async hashOf(text: string): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  read(path: string): Promise<string | null> {
    return this.#read(path, (object) => object.text());
  }

  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#read(path, async (object) => new Uint8Array(await object.arrayBuffer()));
  }

  /** It is read to its end although the request that asked first may be gone: others may wait for it. */
  #read<T>(path: string, body: (object: R2ObjectBody) => Promise<T>): Promise<T | null> {
    const key = this.prefix + path;
    const read = async () => {
      const object = await this.#bucket.get(key);
      return object && body(object);
    };
    return waitUntilSettled(retryOnce(() => withDeadline(READ_MS, read(), () => new ReadTookTooLong(key))));
  }
}
