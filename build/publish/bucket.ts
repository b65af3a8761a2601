import { createHash } from 'node:crypto';
import type { S3Client } from '../../common/bucket/s3-client.ts';
import { describeTarget } from '../../common/bucket/target.ts';
import type { FileEntry } from '../history/storage.ts';
import { readField, readListing, writeDeletion } from '../../common/bucket/xml.ts';

/** The condition of a write: the file still has this ETag, or does not exist (null). */
export type Condition = string | null;

interface StoredFile {
  readonly bytes: Buffer;
  /** Quoted, as in the header. */
  readonly etag: string;
}

export interface BucketFile extends FileEntry {
  readonly etag: string;
}

/** `Cache-Control` of files whose content never changes under their name. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The maximum number of keys in one DeleteObjects request. */
export const MAX_DELETED_PER_REQUEST = 1000;

/** A bucket with the files of an output folder: the same paths, after a prefix. */
export class Bucket {
  readonly client: S3Client;

  constructor(client: S3Client) {
    this.client = client;
  }

  /** For messages: `s3://BUCKET/PREFIX`. */
  get name(): string {
    return describeTarget(this.client.target);
  }

  /** @returns `file` is undefined if it does not exist; `date` is the service's clock */
  async get(path: string): Promise<{ readonly file: StoredFile | undefined; readonly date: Date }> {
    const reply = await this.client.send({ method: 'GET', key: this.#key(path) });
    const served = new Date(reply.header('date') ?? NaN);
    const date = Number.isNaN(served.getTime()) ? this.client.now : served;
    if (reply.status === 404) return { file: undefined, date };
    return { file: { bytes: reply.body, etag: reply.header('etag') ?? '' }, date };
  }

  /**
   * Writes a file atomically.
   *
   * @returns its ETag; undefined: the condition failed
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
    // If-Match on a deleted file: S3 answers 404, R2 412.
    return status === 412 || status === 404 ? undefined : (header('etag') ?? '');
  }

  /** All files whose path starts with `folder`, in the order of their names. One request for each thousand. */
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
   * Removes files; missing ones are ignored.
   *
   * @param paths at most MAX_DELETED_PER_REQUEST
   * @param signedAt the service refuses the request 15 minutes after this time
   */
  async delete(paths: readonly string[], signedAt?: Date): Promise<void> {
    const body = Buffer.from(writeDeletion(paths.map((path) => this.#key(path))));
    const request = { method: 'POST', key: '' } as const;
    const reply = await this.client.send({
      ...request,
      query: { delete: '' },
      headers: {
        'content-type': 'application/xml',
        'content-md5': createHash('md5').update(body).digest('base64'),
      },
      body,
      ...(signedAt === undefined ? {} : { signedAt }),
    });
    // Of some of the files.
    if (readField(reply.body.toString(), 'Error') !== undefined) throw this.client.toError(request, reply);
  }

  /** Removes a file, if it exists. */
  async remove(path: string): Promise<void> {
    await this.client.send({ method: 'DELETE', key: this.#key(path) });
  }

  #key(path: string): string {
    return this.client.target.prefix + path;
  }
}
