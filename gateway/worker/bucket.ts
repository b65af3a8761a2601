import type { R2Bucket, R2ObjectBody } from '@cloudflare/workers-types';
import { DeadlineExceeded, withDeadline } from '../deadline.ts';
import { retryOnce } from '../fetch/retry-once.ts';
import type { KeyFiles } from '../key-cache.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/** The deadline of a read, for each of two attempts. Only requests waiting for this object fail. */
const READ_MS = 5000;

/** Reads published files. Methods return null for a missing file; they throw R2's error after a retry, or DeadlineExceeded. */
export class Bucket implements KeyFiles {
  readonly #bucket: R2Bucket;
  /** The prefix of all keys: empty, or with a trailing slash. */
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

  /** The read continues even if the first request is gone: others may wait for it. */
  #read<T>(path: string, body: (object: R2ObjectBody) => Promise<T>): Promise<T | null> {
    const key = this.prefix + path;
    const read = async () => {
      const object = await this.#bucket.get(key);
      return object && body(object);
    };
    const late = () => new DeadlineExceeded(`R2 did not return ${key} within ${READ_MS / 1000} seconds.`);
    return waitUntilSettled(retryOnce(() => withDeadline(READ_MS, read(), late)));
  }
}
