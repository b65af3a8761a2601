import type {
  AnalyticsEngineDataset,
  DurableObjectJurisdiction,
  DurableObjectLocationHint,
  DurableObjectNamespace,
  DurableObjectStub,
  R2Bucket,
} from '@cloudflare/workers-types';
import { oneOf } from '../../contract/json.ts';
import type { QuotaObject } from './quota-object.ts';

/** The bindings in `deploy/wrangler.jsonc`. */
export interface Environment {
  /** The bucket that `publish` fills: pointer, objects and key records. */
  readonly BUCKET: R2Bucket;
  /** Empty, or the PREFIX of `s3://BUCKET/PREFIX`. */
  readonly BUCKET_PREFIX?: string;
  /** A Durable Object for each principal. */
  readonly QUOTAS: DurableObjectNamespace<QuotaObject>;
  /** Their jurisdiction; empty: anywhere. Changing it starts with new objects, so counts restart. */
  readonly QUOTAS_JURISDICTION?: string;
  /** The region for new ones; empty: near their first caller. */
  readonly QUOTAS_LOCATION?: DurableObjectLocationHint | '';
  /** The dataset for usage; optional. */
  readonly USAGE?: AnalyticsEngineDataset;
  /** The key for hashing addresses. */
  readonly ADDRESS_SECRET?: string;
}

const SECRET_LENGTH = 16;

const JURISDICTIONS: readonly DurableObjectJurisdiction[] = ['eu', 'us', 'fedramp', 'fedramp-high'];

/** A variable or secret of the Worker is missing or wrong. */
export class EnvironmentFaulty extends Error {
  override name = 'EnvironmentFaulty';
}

/** Returns the Durable Object of a principal. */
export type QuotaObjects = (name: string) => DurableObjectStub<QuotaObject>;

/** @throws EnvironmentFaulty */
export function getQuotaObjects(environment: Environment): QuotaObjects {
  const { QUOTAS, QUOTAS_JURISDICTION: place = '', QUOTAS_LOCATION: locationHint } = environment;
  // An unknown location is ignored by the platform. A jurisdiction is no wish.
  if (place !== '' && !oneOf(JURISDICTIONS)(place))
    throw new EnvironmentFaulty(
      `QUOTAS_JURISDICTION is "${place}". Set it to one of ${JURISDICTIONS.join(', ')}, or leave it empty, and deploy again.`,
    );
  const objects = place === '' ? QUOTAS : QUOTAS.jurisdiction(place);
  return (name) => objects.get(objects.idFromName(name), locationHint ? { locationHint } : undefined);
}

/** Without a secret, addresses could be guessed from their hashes. @throws EnvironmentFaulty */
export function getAddressSecret({ ADDRESS_SECRET = '' }: Environment): string {
  if (ADDRESS_SECRET.length >= SECRET_LENGTH) return ADDRESS_SECRET;
  throw new EnvironmentFaulty(
    `ADDRESS_SECRET is not set, or shorter than ${SECRET_LENGTH} characters. Run "npx wrangler secret put ADDRESS_SECRET".`,
  );
}

/** The prefix of all keys in the bucket: empty, or with a trailing slash. */
export function getBucketPrefix({ BUCKET_PREFIX = '' }: Environment): string {
  const bare = BUCKET_PREFIX.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}
