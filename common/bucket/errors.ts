import { ExplainedError } from '../errors.ts';
import { shownAddress } from '../shown-address.ts';

/** Failures of requests to a bucket. */
export abstract class BucketError extends ExplainedError {}

export class BucketAddressInvalid extends BucketError {
  constructor(given: string, form: string) {
    super(`"${shownAddress(given)}" is not a bucket address. It must have the form ${form}.`);
  }
}

export class CredentialsMissing extends BucketError {
  constructor(variable: string) {
    super(
      `There are no credentials for the bucket: ${variable} is not set. ` +
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
    );
  }
}

export class EndpointUnreachable extends BucketError {
  constructor(endpoint: string, detail: string) {
    super(`${endpoint} cannot be reached (${detail}). Check --endpoint and the network, then try again.`);
  }
}

/** What an answer says: its status, and what its body and headers say of the reason. */
interface S3Refusal {
  readonly status: number;
  /** Empty: none, as if the answer is not of the S3 API. */
  readonly code: string;
  /** The region that the bucket is in; empty: it does not say. */
  readonly region: string;
}

/** A request that is refused, or fails after all retries. */
export class EndpointFailed extends BucketError {
  readonly status: number;

  constructor(endpoint: string, request: string, { status, code, region }: S3Refusal) {
    const said = [status, code, region && `region ${region}`].filter(Boolean).join(', ');
    const [, remedy = LATER] = REMEDIES.find(([codes]) => codes.test(`${status} ${code}`)) ?? [];
    super(`${endpoint} answered ${request} with ${said}. ${remedy}`);
    this.status = status;
  }
}

const LATER = 'Try again later. If it still fails, check that --endpoint speaks the S3 API.';

/** What to do, by status and code: those of S3, R2, MinIO and Ceph. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /AuthorizationHeaderMalformed|IllegalLocation|^30[178]|Redirect/,
    'Set AWS_REGION to the region of the bucket, and --endpoint to the endpoint of that region.',
  ],
  [
    /ExpiredToken|InvalidToken|TokenRefresh/,
    'Temporary credentials have expired, or are incomplete: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and ' +
      'AWS_SESSION_TOKEN again. With permanent credentials, unset AWS_SESSION_TOKEN.',
  ],
  [/RequestTimeTooSkewed|RequestExpired/, "Correct this machine's clock, then try again."],
  [/NoSuchBucket|InvalidBucketName/, 'Create the bucket there, or choose another.'],
  [/^507|Quota|StorageFull|StorageCap/, 'The storage is full: free some space, or raise its quota.'],
  [
    /InvalidAccessKeyId/,
    'Check that AWS_ACCESS_KEY_ID belongs to this endpoint. Temporary credentials need AWS_SESSION_TOKEN too.',
  ],
  [/SignatureDoesNotMatch/, 'Check that AWS_SECRET_ACCESS_KEY belongs to AWS_ACCESS_KEY_ID.'],
  [
    /^40[13]|AccessDenied/,
    'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list, read, write and delete in this ' +
      'bucket; to serve, list and read.',
  ],
];

export class BucketEmpty extends BucketError {
  constructor(target: string) {
    super(`Nothing is published in ${target}. Run "publish" first, or choose another bucket.`);
  }
}

/** A file of the bucket does not match its name. */
export class FileAltered extends BucketError {
  constructor(target: string, path: string) {
    super(`${path} in ${target} was altered or cut short. Delete it, then run "publish --full".`);
  }
}
