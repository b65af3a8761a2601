import { ExplainedError } from '../errors.ts';
import { shownAddress } from '../shown-address.ts';

/** Failures of requests to a bucket. */
export abstract class BucketError extends ExplainedError {}

export class BucketAddressInvalid extends BucketError {
  constructor(given: string, form: string) {
    super(`"${shownAddress(given)}" is not the address of a bucket. It must be of the form ${form}.`);
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

/** 401 and 403. */
export class CredentialsRefused extends BucketError {
  constructor(target: string, detail: string) {
    super(
      `The credentials were refused for ${target} (${detail}). Check that AWS_ACCESS_KEY_ID and ` +
        'AWS_SECRET_ACCESS_KEY belong together, and that they may use this bucket.',
    );
  }
}

export class ClockWrong extends BucketError {
  constructor(target: string) {
    super(`This machine's clock differs too much from that of ${target}. Correct it, then try again.`);
  }
}

export class BucketMissing extends BucketError {
  constructor(bucket: string, endpoint: string) {
    super(`There is no bucket "${bucket}" at ${endpoint}. Create it, or name another bucket.`);
  }
}

export class EndpointUnreachable extends BucketError {
  constructor(endpoint: string, detail: string) {
    super(`${endpoint} cannot be reached (${detail}). Check --endpoint and the network, then try again.`);
  }
}

/** An answer that is not of the S3 API, or an error after all retries. */
export class EndpointFailed extends BucketError {
  /** The HTTP status; undefined if only the body reports an error. */
  readonly status: number | undefined;

  constructor(endpoint: string, request: string, detail: string, status?: number) {
    super(
      `${endpoint} answered ${request} with ${detail}. ` +
        'Try again later. If it still fails, check that --endpoint speaks the S3 API.',
    );
    this.status = status;
  }
}

export class BucketEmpty extends BucketError {
  constructor(target: string) {
    super(`Nothing is published in ${target}. Run "publish" first, or name another bucket.`);
  }
}

/** A file of the bucket does not match its name. */
export class FileAltered extends BucketError {
  constructor(target: string, path: string) {
    super(`${path} in ${target} was altered or cut short. Delete it, then run "publish --full".`);
  }
}
