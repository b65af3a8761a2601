import { createHash } from 'node:crypto';
import { EndpointFailed } from './errors.ts';
import type { S3Client } from './s3-client.ts';
import { describeTarget } from './target.ts';
import { readFields, readListing, writeDeletion } from './xml.ts';

/** What a bucket's file must be for a write to happen: as it was read (its ETag), or absent (null). */
export type Condition = string | null;

export interface StoredFile {
  readonly bytes: Buffer;
  /** Quoted, as in the header. */
  readonly etag: string;
}

/** A file in the bucket; its path is from the root of the output. */
export interface BucketFile {
  readonly path: string;
  readonly size: number;
  readonly etag: string;
  readonly modified: Date;
}

/** Most keys that one DeleteObjects takes. */
export const MOST_DELETED_AT_ONCE = 1000;

/** A bucket that holds an output folder: the same paths, below a prefix. */
export class Bucket {
  readonly client: S3Client;

  constructor(client: S3Client) {
    this.client = client;
  }

  /** For messages: `s3://BUCKET/PREFIX`. */
  get name(): string {
    return describeTarget(this.client.target);
  }

  /** @returns undefined where there is no such file; `date` is the service's clock */
  async get(path: string): Promise<{ readonly file: StoredFile | undefined; readonly date: Date }> {
    const reply = await this.client.send({ method: 'GET', key: this.#key(path) });
    const served = new Date(reply.header('date') ?? NaN);
    const date = Number.isNaN(served.getTime()) ? this.client.now : served;
    if (reply.status === 404) return { file: undefined, date };
    return { file: { bytes: reply.body, etag: reply.header('etag') ?? '' }, date };
  }

  /**
   * Writes a file, whole or not at all.
   *
   * @returns its ETag; undefined where the condition does not hold
   */
  async put(
    path: string,
    bytes: Uint8Array,
    cacheControl: string,
    condition?: Condition,
  ): Promise<string | undefined> {
    const { status, header } = await this.client.send({
      method: 'PUT',
      key: this.#key(path),
      headers: {
        'content-type': path.endsWith('.json') ? 'application/json' : 'application/octet-stream',
        'cache-control': cacheControl,
        ...(condition === undefined
          ? {}
          : condition === null
            ? { 'if-none-match': '*' }
            : { 'if-match': condition }),
      },
      body: bytes,
    });
    // If-Match on a file that is gone: S3 says 404, R2 412.
    return status === 412 || status === 404 ? undefined : (header('etag') ?? '');
  }

  /** All files whose path begins so, in the order of their names. One request for each thousand. */
  async *list(folder: string): AsyncGenerator<BucketFile> {
    const { prefix } = this.client.target;
    let token: string | undefined;
    do {
      const { body } = await this.client.send({
        method: 'GET',
        key: '',
        query: {
          'list-type': '2',
          prefix: prefix + folder,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
      });
      const { files, next } = readListing(body.toString());
      for (const { key, ...file } of files) yield { path: key.slice(prefix.length), ...file };
      token = next;
    } while (token !== undefined);
  }

  /**
   * Removes files, some of which may be gone already.
   *
   * @param paths at most MOST_DELETED_AT_ONCE
   * @param signedAt the service refuses to carry this out 15 minutes later than this
   */
  async delete(paths: readonly string[], signedAt?: Date): Promise<void> {
    const { endpoint, bucket } = this.client.target;
    const body = Buffer.from(writeDeletion(paths.map((path) => this.#key(path))));
    const reply = await this.client.send({
      method: 'POST',
      key: '',
      query: { delete: '' },
      headers: {
        'content-type': 'application/xml',
        'content-md5': createHash('md5').update(body).digest('base64'),
      },
      body,
      ...(signedAt === undefined ? {} : { signedAt }),
    });
    if ('Error' in readFields(reply.body.toString())) {
      throw new EndpointFailed(endpoint, `the deletion of files in ${bucket}`, 'an error for some of them');
    }
  }

  /** Removes one file, which may be gone already. */
  async remove(path: string): Promise<void> {
    await this.client.send({ method: 'DELETE', key: this.#key(path) });
  }

  #key(path: string): string {
    return this.client.target.prefix + path;
  }
}
