import { isUnlimited, type Limits } from '../../contract/policy.ts';
import { NOT_READY } from '../api-error.ts';
import { countedAddress } from '../client-address.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayRequest } from '../home.ts';
import { knownKeys } from '../known-keys.ts';
import type { Reply } from '../reply.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { catching, type MaybePromise } from '../maybe-promise.ts';
import { addressHash } from '../fetch/address-hash.ts';
import { LatestSnapshot } from '../fetch/latest-snapshot.ts';
import { Bucket } from './bucket.ts';
import { BucketSnapshotStore, NothingPublished } from './bucket-snapshot-store.ts';
import type { ObjectCache } from './cache-api.ts';
import { type Environment, prefixOf, quotaObjectsOf, secretOf } from './environment.ts';
import { reportFailure } from './failure.ts';
import { ObjectQuotaCounter } from './object-quota-counter.ts';
import { usagePoints } from './usage-points.ts';

/**
 * An isolate has 128 MB for everything. The decoded search index of 100,000 posts takes up to 40 MB of
 * these, and there must also be room for what is being read.
 */
const SIZES = { objectBytes: 56 * 2 ** 20, answerBytes: 8 * 2 ** 20 };
const KEYS_BELIEVED_MS = 25_000;

/** All that is kept in memory between requests. */
export class Isolate {
  readonly #current: CurrentSnapshot;
  readonly #latest: LatestSnapshot;
  readonly #addressId: (address: string) => Promise<string>;
  readonly #gateway: Gateway;

  /**
   * @param cache of the place where the Worker runs
   * @param origin of the Worker
   * @throws SecretMissing, PlaceUnknown
   */
  constructor(environment: Environment, cache: ObjectCache, origin: string) {
    const bucket = new Bucket(environment.BUCKET, prefixOf(environment));
    const store = new BucketSnapshotStore(bucket, cache, origin);
    this.#current = new CurrentSnapshot(store, SIZES);
    this.#latest = new LatestSnapshot(this.#current, reportFailure, () => store.pointerReadAt);
    this.#addressId = addressHash(secretOf(environment));
    const keys = knownKeys(bucket, KEYS_BELIEVED_MS);
    const quotas = new ObjectQuotaCounter(quotaObjectsOf(environment));
    const usage = environment.USAGE ? usagePoints(environment.USAGE) : null;
    this.#gateway = new Gateway(keys, quotas, { failed: reportFailure }, usage);
  }

  reply({ method, url, headers }: Request): MaybePromise<Reply> {
    const snapshot = catching(() => this.snapshot(), reportUnpublished);
    if (snapshot instanceof Promise) snapshot.catch(() => undefined); // The request may fail before, for another reason.
    const request: GatewayRequest = {
      method,
      target: targetOf(url),
      header: (name) => headers.get(name) ?? undefined,
      // Cloudflare sets it, and lets no client do so.
      addressId: () => this.#addressId(countedAddress(headers.get('cf-connecting-ip') ?? '')),
    };
    return this.#gateway.handle(request, snapshot, () => this.#latest.look(), this.#limits());
  }

  /**
   * Where there is one, the snapshot to answer from. Asks no Durable Object.
   *
   * @throws NothingPublished, and what reading the bucket throws
   */
  snapshot(): MaybePromise<Snapshot> {
    return this.#latest.get();
  }

  /** Whether callers without a key may be answered alike, as far as is known: nothing is, before the first snapshot. */
  mayShare(): boolean {
    const limits = this.#limits();
    return limits === undefined || isUnlimited(limits, 'address');
  }

  /** For how long the snapshot may be taken for the one that the pointer names. */
  freshSeconds(): number {
    return this.#latest.freshMs() / 1000;
  }

  /** Those known last. */
  #limits(): Limits | undefined {
    return this.#current.get()?.directory.policy.limits;
  }
}

/** To the client it is a 503, and the operator is told. */
function reportUnpublished(error: unknown): never {
  if (!(error instanceof NothingPublished)) throw error;
  reportFailure(error);
  throw NOT_READY;
}

/** Path and query of a URL. */
export function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
