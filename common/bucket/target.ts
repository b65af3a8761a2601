import { BucketAddressInvalid } from './errors.ts';

/** The target of a publish: the endpoint of an S3 API, a bucket and a prefix. */
export interface BucketTarget {
  /** Requests go to `ENDPOINT/BUCKET/KEY`; without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The prefix of every key: empty, or with a slash at the end. */
  readonly prefix: string;
}

/** Parallel uploads to a bucket. */
export const DEFAULT_CONNECTIONS = 32;

/** Bucket names of R2 and S3. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** A segment of a prefix, without characters that need encoding in a URL. */
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/;

/**
 * Parses an address `s3://BUCKET/PREFIX` and an endpoint. R2 shows its endpoint with and without the bucket at the end;
 * both are accepted.
 *
 * @throws BucketAddressInvalid
 */
export function parseTarget(to: string, endpoint: string): BucketTarget {
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

/** `s3://BUCKET/PREFIX`. */
export function describeTarget({ bucket, prefix }: BucketTarget): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}
