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

/** What `wrangler.jsonc` binds the Worker to. */
export interface Environment {
  /** What `publish` fills: the pointer, objects and key records. */
  readonly BUCKET: R2Bucket;
  /** Where in the bucket: empty, or the PREFIX of `s3://BUCKET/PREFIX`. */
  readonly BUCKET_PREFIX?: string;
  /** A Durable Object for each principal. */
  readonly QUOTAS: DurableObjectNamespace<QuotaObject>;
  /** The jurisdiction that these stay in; empty: anywhere. Another one begins with other objects, so with no counts. */
  readonly QUOTAS_JURISDICTION?: string;
  /** Near which region new ones are made; empty: near their first caller. */
  readonly QUOTAS_LOCATION?: string;
  /** Where points of usage go; without it, nowhere. */
  readonly USAGE?: AnalyticsEngineDataset;
  /** Keys the hashes of addresses. */
  readonly ADDRESS_SECRET?: string;
}

const SECRET_LENGTH = 16;

const JURISDICTIONS: readonly DurableObjectJurisdiction[] = ['eu', 'us', 'fedramp', 'fedramp-high'];
const LOCATIONS: readonly DurableObjectLocationHint[] = [
  ...(['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'apac-ne', 'apac-se', 'oc', 'afr', 'me'] as const),
];

/** A variable of wrangler.jsonc names a place that Cloudflare does not have. */
export class PlaceUnknown extends Error {
  override name = 'PlaceUnknown';
  constructor(variable: string, value: string, known: readonly string[]) {
    super(
      `${variable} is "${value}". Set it to one of ${known.join(', ')}, or leave it empty, and deploy again.`,
    );
  }
}

/** Gives the Durable Object of a principal. */
export type QuotaObjects = (name: string) => DurableObjectStub<QuotaObject>;

/** @throws PlaceUnknown */
export function quotaObjectsOf(environment: Environment): QuotaObjects {
  const jurisdiction = placeOf(environment, 'QUOTAS_JURISDICTION', JURISDICTIONS);
  const locationHint = placeOf(environment, 'QUOTAS_LOCATION', LOCATIONS);
  const objects = jurisdiction ? environment.QUOTAS.jurisdiction(jurisdiction) : environment.QUOTAS;
  return (name) => objects.get(objects.idFromName(name), locationHint ? { locationHint } : undefined);
}

function placeOf<T extends string>(
  environment: Environment,
  variable: 'QUOTAS_JURISDICTION' | 'QUOTAS_LOCATION',
  known: readonly T[],
): T | undefined {
  const value = environment[variable] ?? '';
  if (value === '') return undefined;
  if (!oneOf(known)(value)) throw new PlaceUnknown(variable, value, known);
  return value;
}

/** The Worker was deployed without its secret. Without it addresses could be guessed from their hashes. */
export class SecretMissing extends Error {
  override name = 'SecretMissing';
  constructor() {
    super(
      `ADDRESS_SECRET is not set, or shorter than ${SECRET_LENGTH} characters. Run "npx wrangler secret put ADDRESS_SECRET".`,
    );
  }
}

/** @throws SecretMissing */
export function secretOf({ ADDRESS_SECRET = '' }: Environment): string {
  if (ADDRESS_SECRET.length < SECRET_LENGTH) throw new SecretMissing();
  return ADDRESS_SECRET;
}

/** What the key of each file in the bucket begins with: empty, or with a slash at the end. */
export function prefixOf({ BUCKET_PREFIX = '' }: Environment): string {
  const bare = BUCKET_PREFIX.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}
