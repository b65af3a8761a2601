import type { R2Bucket, R2GetOptions, R2ObjectBody } from '@cloudflare/workers-types';
import { DeadlineExceeded, withDeadline } from '../deadline.ts';
import { retryOnce } from '../fetch/retry-once.ts';

/** The deadline of a read, for each of two attempts. Only requests waiting for this object fail. */
const READ_MS = 5000;

/** A file, and the ETag of these bytes. */
export interface TaggedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Reads published files. Methods return null for a missing file; they throw R2's error after a retry, or DeadlineExceeded. */
export class Bucket {
  readonly #bucket: R2Bucket;
  /** The prefix of all keys: empty, or with a trailing slash. */
  readonly prefix: string;

  constructor(bucket: R2Bucket, prefix: string) {
    this.#bucket = bucket;
    this.prefix = prefix;
  }

  read(path: string): Promise<string | null> {
    return this.#read(path, (object) => object.text());
  }

  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#read(path, bytesOf);
  }

  /** @param known an ETag: `unchanged` if the file still has it */
  readTagged(path: string, known?: string): Promise<TaggedFile | 'unchanged' | null> {
    const options = known === undefined ? undefined : { onlyIf: { etagDoesNotMatch: known } };
    const tagged = async (object: R2ObjectBody) =>
      // R2 returns the object without its body if the condition fails.
      'body' in object ? { bytes: await bytesOf(object), etag: object.etag } : 'unchanged';
    return this.#read<TaggedFile | 'unchanged'>(path, tagged, options);
  }

  #read<T>(
    path: string,
    body: (object: R2ObjectBody) => Promise<T>,
    options?: R2GetOptions,
  ): Promise<T | null> {
    const key = this.prefix + path;
    const read = async () => {
      const object = await this.#bucket.get(key, options);
      return object && body(object);
    };
    const late = () => new DeadlineExceeded(`R2 did not return ${key} within ${READ_MS / 1000} seconds.`);
    return retryOnce(() => withDeadline(READ_MS, read(), late));
  }
}

async function bytesOf(object: R2ObjectBody): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await object.arrayBuffer());
}
