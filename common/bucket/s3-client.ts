import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Pool } from 'undici';
import { reasonOf } from '../thrown.ts';
import type { Credentials } from './credentials.ts';
import { type BucketError, EndpointFailed, EndpointUnreachable } from './errors.ts';
import { isWorthRetrying, RETRY_POLICY, retryDelay, type RetryPolicy } from './retry.ts';
import { type BucketTarget, DEFAULT_CONNECTIONS } from './target.ts';
import { readField } from './xml.ts';

/** The client's environment, which tests replace. */
export interface Transport {
  /** Parallel requests. */
  readonly connections: number;
  /** Deadline for one request and its answer. */
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly random: () => number;
}

const TRANSPORT: Transport = {
  connections: DEFAULT_CONNECTIONS,
  timeoutMs: 30_000,
  retry: RETRY_POLICY,
  now: () => new Date(),
  sleep: delay,
  random: Math.random,
};

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The service refuses the request 15 minutes after this time; default: now. */
  readonly signedAt?: Date;
}

export interface S3Reply {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/**
 * Signed requests to one bucket (AWS Signature Version 4, path-style addresses), with retries. The signature includes
 * the body's SHA-256, so the service refuses a body that was damaged on the way.
 */
export class S3Client {
  readonly target: BucketTarget;
  readonly #credentials: Credentials;
  readonly #transport: Transport;
  readonly #pool: Pool;
  /** A request takes 129 µs instead of 302 to sign. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  #retries = 0;
  #unanswered = 0;

  constructor(target: BucketTarget, credentials: Credentials, transport: Partial<Transport> = {}) {
    this.target = target;
    this.#credentials = credentials;
    this.#transport = { ...TRANSPORT, ...transport };
    this.#pool = new Pool(new URL(target.endpoint).origin, {
      connections: this.#transport.connections,
      pipelining: 1,
    });
  }

  /** The number of retries. */
  get retries(): number {
    return this.#retries;
  }

  /** Requests without an answer: they may have been carried out, or may still be. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get now(): Date {
    return this.#transport.now();
  }

  sleep(ms: number): Promise<unknown> {
    return this.#transport.sleep(ms);
  }

  /**
   * Sends a request, and retries it by the policy.
   *
   * @returns a success, 404 for a missing key, or 304 or 412 for a condition
   * @throws BucketError
   */
  async send(request: S3Request): Promise<S3Reply> {
    for (let failures = 1; ; failures++) {
      let retryAfter: string | undefined;
      let error: BucketError;
      const reply = await this.#sendOnce(request).catch(describeFailure);
      if (typeof reply === 'string') {
        this.#unanswered += 1;
        error = new EndpointUnreachable(this.target.endpoint, reply);
      } else {
        if (isExpected(reply)) return reply;
        error = this.toError(request, reply);
        if (!isWorthRetrying(reply.status)) throw error;
        retryAfter = reply.header('retry-after');
      }
      const { retry, random } = this.#transport;
      const wait = retryDelay(retry, failures, retryAfter, this.now, random);
      if (wait === undefined) throw error;
      this.#retries += 1;
      await this.sleep(wait);
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #sendOnce({ method, key, query = {}, headers = {}, body, signedAt }: S3Request): Promise<S3Reply> {
    const { endpoint, bucket } = this.target;
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#credentials;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      cache: this.#signingKeys,
      datetime: (signedAt ?? this.now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    const answer = await this.#pool.request({
      method,
      path: signed.url.pathname + signed.url.search,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      signal: AbortSignal.timeout(this.#transport.timeoutMs),
    });
    return {
      status: answer.statusCode,
      header(name) {
        const value = answer.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  }

  /** The error that an answer means; also a success whose body has one. */
  toError({ method, key }: Pick<S3Request, 'method' | 'key'>, reply: S3Reply): EndpointFailed {
    const { endpoint, bucket } = this.target;
    const all = method === 'POST' ? `the deletion of files in ${bucket}` : `the listing of ${bucket}`;
    // Nothing else from the body: some services repeat the signed request in it.
    const body = reply.body.toString();
    const [code = '', region = ''] = [readField(body, 'Code'), readField(body, 'Region')].map(wordIn);
    const { status } = reply;
    const named = { status, code, region: wordIn(reply.header('x-amz-bucket-region')) || region };
    return new EndpointFailed(endpoint, key === '' ? all : `${method} ${key}`, named);
  }
}

function wordIn(text = ''): string {
  return /^[\w.-]{1,64}$/.test(text) ? text : '';
}

function isExpected({ status, body }: S3Reply): boolean {
  if (status >= 200 && status < 300) return true;
  return (
    status === 304 || status === 412 || (status === 404 && readField(body.toString(), 'Code') === 'NoSuchKey')
  );
}

function describeFailure(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : reasonOf(error);
}
