import { NOT_READY } from '../api-error.ts';
import { countedAddress } from '../client-address.ts';
import { Gateway } from '../gateway.ts';
import type { GatewayRequest } from '../home.ts';
import { keyCache } from '../key-cache.ts';
import type { Reply } from '../reply.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import { PackedStore } from '../snapshot/packed-store.ts';
import { type MaybePromise, tryCatch } from '../maybe-promise.ts';
import { addressHash } from '../fetch/address-hash.ts';
import { freshSnapshot } from '../fetch/fresh-snapshot.ts';
import { CachedBucket, NothingPublished, type ObjectCache } from './cached-bucket.ts';
import { countedAhead } from './counted-ahead.ts';
import { type Environment, getBucketPrefix, getQuotaObjects, getAddressSecret } from './environment.ts';
import { reportFailure } from './failure.ts';
import { ObjectQuotaCounter } from './object-quota-counter.ts';
import { usagePoints } from './usage-points.ts';

/**
 * An isolate has 128 MB in total, which must also hold objects while they are read. With larger caches no usual request is
 * quicker.
 */
const SIZES = { objectBytes: 16 * 2 ** 20, answerBytes: 8 * 2 ** 20 };
const KEYS_BELIEVED_MS = 25_000;

/** The state that persists between requests. */
export type Isolate = ReturnType<typeof createIsolate>;

/**
 * @param cache of the place where the Worker runs
 * @param origin of the Worker
 * @throws EnvironmentFaulty
 */
export function createIsolate(environment: Environment, cache: ObjectCache, origin: string) {
  const prefix = getBucketPrefix(environment);
  const files = new CachedBucket(environment.BUCKET, prefix, cache, origin, KEYS_BELIEVED_MS);
  const current = new CurrentSnapshot(new PackedStore(files), SIZES);
  const fresh = freshSnapshot(current, reportFailure, () => files.pointerReadAt);
  const hashAddress = addressHash(getAddressSecret(environment));
  const keys = keyCache(files, KEYS_BELIEVED_MS);
  const quotas = new ObjectQuotaCounter(getQuotaObjects(environment));
  const usage = environment.USAGE ? usagePoints(environment.USAGE) : null;

  return {
    reply({ method, url, headers }: Request): MaybePromise<Reply> {
      const snapshot = tryCatch(() => fresh.get(), reportUnpublished);
      // The request may fail first for another reason.
      if (snapshot instanceof Promise) snapshot.catch(() => undefined);
      const counted = countedAhead(quotas, current.get()?.directory.policy.limits);
      const request: GatewayRequest = {
        method,
        target: requestTarget(url),
        header: (name) => headers.get(name) ?? undefined,
        // Set by Cloudflare; clients cannot set it.
        addressId: () => hashAddress(countedAddress(headers.get('cf-connecting-ip') ?? '')),
        onIdentified: ({ principal }, isCounted) => counted.start(principal, isCounted),
      };
      const gateway = new Gateway(keys, counted, { reportError: reportFailure }, usage);
      return gateway.handle(request, snapshot, fresh.newest);
    },

    /** Reads what answers need. @throws NothingPublished, and errors of the bucket */
    async ready(): Promise<void> {
      await fresh.get();
    },
  };
}

/** Reported to the operator; the client gets a 503. */
function reportUnpublished(error: unknown): never {
  if (!(error instanceof NothingPublished)) throw error;
  reportFailure(error);
  throw NOT_READY;
}

/** Path and query of a URL. */
export function requestTarget(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
