import { isUnlimited } from '../../contract/policy.ts';
import { NOT_READY } from '../api-error.ts';
import { countedAddress } from '../client-address.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayRequest, Reporter } from '../home.ts';
import { KnownKeys } from '../known-keys.ts';
import type { Reply } from '../reply.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { catching, type Soon } from '../soon.ts';
import { usagePoints } from './usage-points.ts';
import { AddressHash } from '../fetch/address-hash.ts';
import { Bucket } from './bucket.ts';
import { BucketSnapshotStore, NothingPublished, type ObjectCache } from './bucket-snapshot-store.ts';
import { type Environment, prefixOf, quotaObjectsOf, secretOf } from './environment.ts';
import { LatestSnapshot } from '../fetch/latest-snapshot.ts';
import { ObjectQuotaCounter } from './object-quota-counter.ts';

/**
 * An isolate has 128 MB for everything. The decoded search index of 100,000 posts takes up to 40 MB of
 * these, and there must also be room for what is being read.
 */
const OBJECT_BYTES = 56 * 2 ** 20;
const ANSWER_BYTES = 8 * 2 ** 20;
const KEYS_BELIEVED_MS = 25_000;

/** Who is told of what should not have happened. */
export interface WorkerReporter extends Reporter {
  failed(error: unknown): void;
}

/** All that is kept in memory between requests. */
export interface Isolate {
  reply(request: Request): Soon<Reply>;
  /**
   * Where there is one, the snapshot to answer from. Asks no Durable Object.
   *
   * @throws NothingPublished, and what reading the bucket throws
   */
  snapshot(): Soon<Snapshot>;
  /** Whether callers without a key may be answered alike, as far as is known: nothing is, before the first snapshot. */
  mayShare(): boolean;
  /** For how long the snapshot may be taken for the one that the pointer names. */
  freshSeconds(): number;
}

/**
 * @param cache of the place where the Worker runs
 * @param origin of the Worker
 * @throws SecretMissing
 */
export function createIsolate(
  environment: Environment,
  cache: ObjectCache,
  origin: string,
  reporter: WorkerReporter,
): Isolate {
  const bucket = new Bucket(environment.BUCKET, prefixOf(environment));
  const store = new BucketSnapshotStore(bucket, cache, origin);
  const sizes = { objectBytes: OBJECT_BYTES, answerBytes: ANSWER_BYTES };
  const latest = new LatestSnapshot(
    new CurrentSnapshot(store, sizes),
    (error) => reporter.failed(error),
    () => store.pointerReadAt,
  );
  const addresses = new AddressHash(secretOf(environment));
  const keys = new KnownKeys(bucket, KEYS_BELIEVED_MS);
  const quotas = new ObjectQuotaCounter(quotaObjectsOf(environment));
  const usage = environment.USAGE ? usagePoints(environment.USAGE) : null;
  const gateway = new Gateway(keys, quotas, reporter, usage);

  const published = (): Soon<Snapshot> =>
    catching(
      () => latest.get(),
      (error) => {
        if (!(error instanceof NothingPublished)) throw error;
        reporter.failed(error);
        throw NOT_READY;
      },
    );
  return {
    snapshot: () => latest.get(),
    freshSeconds: () => latest.freshMs() / 1000,
    mayShare() {
      const limits = latest.known()?.directory.policy.limits;
      return limits === undefined || isUnlimited(limits, 'address');
    },
    reply({ method, url, headers }) {
      const snapshot = published();
      if (snapshot instanceof Promise) snapshot.catch(() => undefined); // The request may fail before, for another reason.
      const request: GatewayRequest = {
        method,
        target: targetOf(url),
        header: (name) => headers.get(name) ?? undefined,
        // Cloudflare sets it, and lets no client do so.
        addressId: () => addresses.idOf(countedAddress(headers.get('cf-connecting-ip') ?? '')),
      };
      const limits = latest.known()?.directory.policy.limits;
      return gateway.handle(request, snapshot, () => latest.look(), limits);
    },
  };
}

/** Path and query of a URL. */
export function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
