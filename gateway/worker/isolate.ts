import { NOT_READY } from '../api-error.ts';
import { countedAddress } from '../client-address.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayRequest, Reporter } from '../home.ts';
import { KnownKeys } from '../known-keys.ts';
import type { Reply } from '../reply.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Soon } from '../soon.ts';
import { usagePoints } from './usage-points.ts';
import { AddressHash } from '../fetch/address-hash.ts';
import { Bucket } from './bucket.ts';
import { BucketSnapshotStore, NothingPublished, type ObjectCache } from './bucket-snapshot-store.ts';
import { type Environment, prefixOf, secretOf } from './environment.ts';
import { LatestSnapshot } from '../fetch/latest-snapshot.ts';
import { ObjectQuotaCounter } from './object-quota-counter.ts';

/**
 * An isolate has 128 MB for everything. The decoded search index of 100,000 posts takes up to 40 MB of
 * these, and beside what is kept there must be room for what is being read.
 */
const OBJECT_BYTES = 56 * 2 ** 20;
const ANSWER_BYTES = 8 * 2 ** 20;
const KEYS_BELIEVED_MS = 25_000;

/** Who is told of what should not have happened. */
export interface WorkerReporter extends Reporter {
  failed(error: unknown): void;
}

/** All that is kept in memory between requests. */
export class Isolate {
  readonly #gateway: Gateway;
  readonly #latest: LatestSnapshot;
  readonly #addresses: AddressHash;
  readonly #reporter: WorkerReporter;

  /**
   * @param cache of the place where the Worker runs
   * @param origin of the Worker
   * @throws SecretMissing
   */
  constructor(environment: Environment, cache: ObjectCache, origin: string, reporter: WorkerReporter) {
    this.#reporter = reporter;
    const bucket = new Bucket(environment.BUCKET, prefixOf(environment));
    const store = new BucketSnapshotStore(bucket, cache, origin);
    const sizes = { objectBytes: OBJECT_BYTES, answerBytes: ANSWER_BYTES };
    this.#latest = new LatestSnapshot(new CurrentSnapshot(store, sizes), (error) => reporter.failed(error));
    this.#addresses = new AddressHash(secretOf(environment));
    this.#gateway = new Gateway(
      new KnownKeys(bucket, KEYS_BELIEVED_MS),
      new ObjectQuotaCounter(environment.QUOTAS),
      reporter,
      environment.USAGE ? usagePoints(environment.USAGE) : null,
    );
  }

  async reply(request: Request): Promise<Reply> {
    return this.#gateway.handle(this.#read(request), this.#snapshot(), () => this.#latest.look());
  }

  /**
   * Resolves where there is a snapshot to answer from. Asks no Durable Object.
   *
   * @throws NothingPublished, and what reading the bucket throws
   */
  async ready(): Promise<void> {
    await this.#latest.get();
  }

  #snapshot(): Soon<Snapshot> {
    const snapshot = this.#latest.get();
    if (!(snapshot instanceof Promise)) return snapshot;
    const published = snapshot.catch((error: unknown) => {
      if (!(error instanceof NothingPublished)) throw error;
      this.#reporter.failed(error);
      throw NOT_READY;
    });
    published.catch(() => undefined); // The request may fail for another reason first.
    return published;
  }

  #read({ method, url, headers }: Request): GatewayRequest {
    return {
      method,
      target: targetOf(url),
      header: (name) => headers.get(name) ?? undefined,
      // Cloudflare sets it, and lets no client do so.
      addressId: () => this.#addresses.idOf(countedAddress(headers.get('cf-connecting-ip') ?? '')),
    };
  }
}

/** Path and query of a URL. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
