import { BucketAddressInvalid } from './errors.ts';

/** Where snapshots are published to: a bucket behind the S3 API of an endpoint, and a prefix in it. */
export interface Target {
  /** Requests go to `ENDPOINT/BUCKET/KEY`; without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  /** What the key of every file begins with: empty, or with a slash at the end. */
  readonly prefix: string;
}

/** Files under way to a bucket at once. */
export const DEFAULT_CONNECTIONS = 32;

/** The rules of R2 and S3 for names of buckets. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Of what a prefix may be made: nothing that would have to be encoded in a URL. */
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/;

/**
 * Reads an address `s3://BUCKET/PREFIX` and an endpoint. R2 shows its endpoint with the bucket at the end
 * and without; both are understood.
 *
 * @throws BucketAddressInvalid
 */
export function parseTarget(to: string, endpoint: string): Target {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)\/?(.*)$/.exec(to) ?? [];
  if (!BUCKET.test(bucket)) throw new BucketAddressInvalid(to, 's3://BUCKET or s3://BUCKET/PREFIX');
  const segments = path.replace(/\/$/, '').split('/');
  if (path !== '' && !segments.every((segment) => SEGMENT.test(segment))) {
    throw new BucketAddressInvalid(to, 'a prefix of letters, digits, ".", "_", "-" and "/"');
  }
  if (!URL.canParse(endpoint)) throw new BucketAddressInvalid(endpoint, 'https://HOST');
  const { protocol, origin, pathname, username } = new URL(endpoint);
  if (!/^https?:$/.test(protocol) || username !== '')
    throw new BucketAddressInvalid(endpoint, 'https://HOST');
  const root = pathname.replace(/\/+$/, '').replace(new RegExp(`/${bucket}$`), '');
  return { endpoint: origin + root, bucket, prefix: path === '' ? '' : `${segments.join('/')}/` };
}

/** `s3://BUCKET/PREFIX`, as one types it. */
export function describeTarget({ bucket, prefix }: Target): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}
