import type { DurableObjectNamespace, R2Bucket } from '@cloudflare/workers-types';
import type { PointDataset } from './usage-points.ts';
import type { QuotaObject } from './quota-object.ts';

/** What `wrangler.jsonc` binds the Worker to. */
export interface Environment {
  /** What `publish` fills: the pointer, objects and key records. */
  readonly BUCKET: R2Bucket;
  /** Where in the bucket: empty, or the PREFIX of `s3://BUCKET/PREFIX`. */
  readonly BUCKET_PREFIX?: string;
  /** A Durable Object for each principal. */
  readonly QUOTAS: DurableObjectNamespace<QuotaObject>;
  /** Where points of usage go; without it, nowhere. */
  readonly USAGE?: PointDataset;
  /** Keys the hashes of addresses. */
  readonly ADDRESS_SECRET?: string;
}

const SECRET_LENGTH = 16;

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
